// A recorder of the texts that a screen reader would read: the element with each focus, and each text that enters a
// live region.
import { plain } from './driving';

const regions = '[role=status], [role=alert], [aria-live]';
const heard: string[] = [];
/** The live regions of the page, each with its text. */
const known: Map<Element, string> = new Map();
let wasModal = false;

const visible = (elements: (Element | null)[]) =>
  elements.map((element) => (element?.getClientRects().length ? element.textContent : '')).filter(Boolean);

/** The name and the description of an element. */
function wordsOf(element: Element) {
  const { labels } = element as HTMLInputElement;
  const described = element.getAttribute('aria-describedby')?.split(' ') ?? [];
  const name = element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element.textContent;
  return plain([name, ...visible(described.map((id) => document.getElementById(id)))].join(', ')).trim();
}

const hear = (how: string, words: string) => words && heard.push(`${how}: ${plain(words)}`);

/**
 * Records from now on. A live region that arrives with its text is not announced. When a dialog closes, the regions
 * behind it are announced with their texts, because they come back.
 */
export function listen() {
  addEventListener('focusin', ({ target }) => hear('focus', wordsOf(target as Element)), true);
  const look = () => {
    const isModal = Boolean(document.querySelector('dialog[open]'));
    const isBack = wasModal && !isModal;
    wasModal = isModal;
    for (const region of known.keys()) if (!region.isConnected) known.delete(region);
    for (const region of document.querySelectorAll(regions)) {
      const text = region.textContent;
      const before = known.get(region);
      const isHidden = isModal && !region.closest('dialog');
      if (!isHidden && before !== undefined && (isBack || before !== text)) hear('says', text);
      known.set(region, text);
    }
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
}

/** Returns the texts since the last call. */
export const takeHeard = () => heard.splice(0);
