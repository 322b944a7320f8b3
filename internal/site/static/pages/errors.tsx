import type { Page } from '../lib/page';
import type { APIError } from '../lib/api';
import { plainPage, retry } from '../components/notice';
import { announce, h } from '../lib/dom';
import { isGone, onEvents, targetOf } from '../lib/events';
import { t } from '../lib/i18n';
import { eventPath } from '../lib/urls';

const way = (href: string, label: string) => (
  <a href={href} class="primary">
    {label}
  </a>
);

export function unknownPage({ head, show }: Page) {
  head({ title: t('unknown.title') });
  show(plainPage(t('unknown.title'), t('unknown.text'), way('/', t('unknown.home'))));
}

export function unknownEvent({ head, show }: Page) {
  head({ title: t('missing.title') });
  show(plainPage(t('missing.title'), t('missing.text'), way('/', t('unknown.home'))));
}

/** Redraws a page at news of its event, or of the one that it has moved to. */
export function followEvent(page: Page, eventToken: string, draw: () => unknown) {
  onEvents((token) => {
    if (token && token !== eventToken && token !== targetOf(eventToken)) return;
    if (isGone(eventToken)) unknownEvent(page);
    else void draw();
  }, page.signal);
}

export function refused({ head, show }: Page, eventToken: string, given: string) {
  head({ title: t('refused.title') });
  show(
    plainPage(
      t('refused.title'),
      given ? t('refused.wrong') : t('refused.none'),
      way(eventPath(eventToken), t('refused.public')),
    ),
  );
}

/** An error page that tries again by itself when the network is back. */
export function unreachable({ head, show, signal }: Page, error: APIError, again: () => unknown) {
  head({ title: t('unreachable.title') });
  const redo = () => {
    removeEventListener('online', redo);
    again();
  };
  show(plainPage(t('unreachable.title'), error.words, retry(t('unreachable.again'), redo, 'primary')));
  announce(error.words);
  addEventListener('online', redo, { signal });
}
