// `import type {} from "lane-scope/react"` makes React's JSX know <lane-scope>.
import type {} from "react";
import type { LaneScopeAttributes } from "./lane-scope.js";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "lane-scope": LaneScopeAttributes & { className?: string };
    }
  }
}
