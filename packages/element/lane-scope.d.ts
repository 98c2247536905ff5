/**
 * `<lane-scope>`: a live picture of a warp's memory accesses inside another page.
 *
 * Attributes: `src` (a link of Lanescope), or `index`, `decl`, `op`, `grid`, `block`, `device`; `lang`, `theme`,
 * `options`, `height`, `sandboxed`, `base`, `title`. See README.md.
 */
export declare class LaneScope extends HTMLElement {
  /** The folder that the page is published in; the folder of the script, unless set. */
  static base: string;
  /** The link of what is shown, in the page itself; `null` where the attributes make none. */
  readonly link: string | null;
  /** Loads the live picture now, near the window or not. */
  load(): void;
}

/** What `<lane-scope>` takes, as JSX writes it; README.md says what each does. */
export interface LaneScopeAttributes {
  src?: string;
  index?: string;
  decl?: string;
  op?: "load" | "store";
  grid?: string;
  block?: string;
  device?: string;
  lang?: "en" | "zh";
  theme?: "light" | "dark";
  options?: string;
  height?: number | string;
  sandboxed?: boolean | "";
  base?: string;
  title?: string;
  id?: string;
  class?: string;
  style?: unknown;
  children?: unknown;
  key?: string | number | null;
  ref?: unknown;
}

declare global {
  interface HTMLElementTagNameMap {
    "lane-scope": LaneScope;
  }
  // Of compilers whose JSX is global. React's has a file of its own: import "lane-scope/react".
  namespace JSX {
    interface IntrinsicElements {
      "lane-scope": LaneScopeAttributes;
    }
  }
}
