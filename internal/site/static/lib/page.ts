import type { Child } from './dom';
import type { head } from './head';
import type { Visit } from './history';

/** What app.tsx passes to a page. */
export type Page = {
  /** aborted when the page is left */
  signal: AbortSignal;
  /** when, by this device's clock */
  opened: number;
  head: typeof head;
  /** replaces the content of the page unless the page was left; 'drawn' is dispatched to #main once it is in the document */
  show: (...content: Child[]) => void;
  go: (url: string, state?: Visit) => void;
  /** sets a function called on Back and Forward: if it returns true, the entry is of this page, which is not opened anew */
  onTraverse: (traverse: () => boolean) => void;
  fragment: URLSearchParams;
};
