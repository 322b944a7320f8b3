import { announce, byId, h, type Children, type Props } from '../lib/dom';
import { t } from '../lib/i18n';
import { confirm } from './dialog';

/** The main action of a page, others, the rest, and a row of a list. */
export type Level = 'primary' | 'secondary' | 'plain' | 'line';

/** @param className a Level and further classes */
export const button = (
  label: Children,
  onclick: (event: Event) => unknown,
  className: string = 'secondary',
  props: Props = {},
) => (
  <button type="button" class={className} onclick={onclick} {...props}>
    {label}
  </button>
);

/** A control that unfolds more. */
export const fold = (id: string, level: Level, label: Children, ...more: Children[]) => (
  <details class="fold" id={id}>
    <summary class={level}>{label}</summary>
    {more}
  </details>
);

/**
 * Copies a text, and shows on the button for two seconds that it did. If the browser refuses, a dialog shows the text,
 * selected. Reports whether it was copied.
 */
async function copyOn(self: HTMLElement, text: string) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // The web views of Android's apps refuse it, but allow the command.
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
  const word = t('copy.done');
  const content = [...self.childNodes];
  self.textContent = word;
  announce(word);
  self.focus();
  setTimeout(() => {
    // Unless the button was redrawn in the meantime.
    if (self.textContent === word) self.replaceChildren(...content);
  }, 2000);
  return true;
}

export const copyButton = (
  label: Children,
  text: string | (() => string),
  className: string = 'secondary',
  props: Props = {},
  copied: () => void = () => {},
) =>
  button(
    label,
    async ({ currentTarget }) => {
      if (await copyOn(currentTarget as HTMLElement, typeof text === 'function' ? text() : text)) copied();
    },
    className,
    props,
  );

/** A link to another site. Nothing is loaded from there before a click. */
export const externalLink = (label: Children, href: string, className: Level = 'plain') => (
  <a class={className} href={href} target="_blank" rel="noopener noreferrer">
    {label}
  </a>
);

/** A button for the system's share sheet; false if there is none. If the sheet fails, the text and the link are copied. */
export const shareButton = (
  data: ShareData,
  label: Children = t('share.native'),
  className: string = 'secondary',
  shared: () => void = () => {},
) =>
  'share' in navigator &&
  button(
    label,
    async ({ currentTarget }) => {
      const self = currentTarget as HTMLElement;
      try {
        await navigator.share(data);
      } catch (error) {
        const closed = (error as Error).name === 'AbortError';
        if (closed || !(await copyOn(self, [data.text, data.url].filter(Boolean).join('\n')))) return;
      }
      shared();
    },
    className,
  );
