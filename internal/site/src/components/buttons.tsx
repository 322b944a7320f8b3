import { byId, type Children, h, make, redraw, say } from '../lib/dom';
import { t } from '../lib/i18n';
import { confirm } from './dialog';

/** The main action of a page, any other action, an action in a text, and a row of a list. */
export type Level = 'primary' | 'secondary' | 'plain' | 'line';

/** @param className a Level and further classes */
export const button = (
  label: Children,
  onclick: (event: Event & { currentTarget: HTMLButtonElement }) => unknown,
  className = 'secondary',
  props: Partial<Omit<JSX.IntrinsicElements['button'], 'children'>> = {},
) => (
  <button type="button" class={className} onclick={onclick} {...props}>
    {label}
  </button>
);

/** A control that unfolds further content. */
export const fold = (id: string, level: Level, label: Children, ...more: Children[]) => (
  <details class="fold" id={id}>
    <summary class={level}>{label}</summary>
    {more}
  </details>
);

/** Says a word on a button for two seconds, in place of the button's label. */
export function flash(self: HTMLElement, word: string) {
  const shown = make(<span>{word}</span>);
  self.replaceChildren(shown);
  say(word);
  // Translation programs change the text, so compare the element. A redraw may have replaced the element meanwhile.
  setTimeout(() => shown.parentNode === self && redraw(self), 2000);
}

/** Copies a text, and says so on the button. If copying fails, a dialog shows the selected text. */
async function copyOn(self: HTMLElement, text: string) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Web views in Android's apps refuse the clipboard, but allow the copy command.
    void confirm({
      title: t('copy.failed'),
      body: [<textarea id="uncopied" rows={4} readonly dir="auto" aria-labelledby="question" value={text} />],
      yes: t('outbox.dismiss'),
      level: 'primary',
    });
    const field = byId('uncopied') as HTMLTextAreaElement;
    field.select();
    if (!document.execCommand('copy')) return false;
    field.closest('dialog')?.close();
  }
  flash(self, t('copy.done'));
  self.focus();
  return true;
}

export const copyButton = (label: Children, text: string, className = 'secondary', copied?: () => void) =>
  button(
    label,
    async ({ currentTarget }) => {
      if (await copyOn(currentTarget, text)) copied?.();
    },
    className,
  );

/** A link. A link to another site opens a new tab. Nothing is loaded from that site before the click. */
export const linkTo = (href: string, label: Children, className: Level = 'plain') => (
  <a
    class={className}
    href={href}
    {...(/^(https|geo):/.test(href) && { target: '_blank', rel: 'noopener noreferrer' })}
  >
    {label}
  </a>
);

/**
 * A button for the system's share sheet, or false if there is no share sheet. If sharing fails, the button copies the
 * text and the link.
 */
export const shareButton = (
  data: ShareData,
  label: Children = t('share.native'),
  className = 'secondary',
  shared?: () => void,
) =>
  'share' in navigator &&
  button(
    label,
    async ({ currentTarget }) => {
      try {
        await navigator.share(data);
      } catch (error) {
        const closed = (error as Error).name === 'AbortError';
        if (closed || !(await copyOn(currentTarget, [data.text, data.url].filter(Boolean).join('\n')))) return;
      }
      shared?.();
    },
    className,
  );
