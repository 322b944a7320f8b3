import { h, type Child, part } from '../lib/dom';
import type { AsOf } from '../model/events';
import { t } from '../lib/i18n';
import { agoText } from '../model/time';
import { separator } from '../lib/text';
import { button } from './buttons';
import { tally } from './tally';

/** A message. Screen readers announce it only inside a live region. */
export const notice = (kind: 'good' | 'bad' | '', ...children: Child[]) => (
  <div class={`notice ${kind}`.trim()}>{children}</div>
);

/** A page with one message. */
export const plainPage = (title: string, text: string, ...actions: Child[]) => (
  <section class="poster full" id="message">
    <div class="wrap">
      {tally(0, { ghosts: 5 })}
      <h1 tabindex={-1}>{title}</h1>
      {text && <p class="lead">{text}</p>}
      <div class="row">{actions}</div>
    </div>
  </section>
);

export const loading = () => (
  <section class="poster full" id="loading" aria-busy="true">
    <div class="wrap">
      <h1 class="short">{t('event.loading')}</h1>
      {tally(0, { ghosts: 5 })}
    </div>
  </section>
);

export const asOfText = ({ at }: AsOf) => t('asOf.time', { time: agoText(at) });

/** The age of details, and the failure unless the age says it already. */
export const asOfLine = (asOf: AsOf) => [asOfText(asOf), asOf.error.words].filter(Boolean).join(separator);

/** A button that is hidden while the device is offline. */
export const retry = (label: string, again: () => void, level: string = 'secondary') =>
  button(label, again, `${level} online`);

/** The notice above details that are not confirmed: their age, and the failure. */
export const asOfNotice = (asOf: AsOf | null, again: () => void) =>
  asOf && notice('', <p>{asOfLine(asOf)}</p>, retry(t('unreachable.again'), again, 'plain'));

/** The link to the operator's imprint, if there is one. */
export function imprint() {
  const { about } = part('bottom').dataset;
  return (
    about && (
      <p class="wrap">
        <a class="plain" href={about}>
          {t('site.about')}
        </a>
      </p>
    )
  );
}
