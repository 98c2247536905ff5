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

declare global {
  interface HTMLElementTagNameMap {
    "lane-scope": LaneScope;
  }
}
