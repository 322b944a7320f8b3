import type { Page } from './page';
import type { APIError } from '../model/api';
import { plainPage, retry } from '../components/notice';
import { say, h } from '../lib/dom';
import { isMissing, onEvents, targetOf } from '../model/events';
import { t } from '../lib/i18n';
import { eventPath } from '../lib/urls';

function tell({ head, show }: Page, title: string, text: string, href: string, label: string) {
  head({ title });
  void show(
    plainPage(
      title,
      text,
      <a href={href} class="primary">
        {label}
      </a>,
    ),
  );
}

export const unknownPage = (page: Page) => tell(page, t('unknown.title'), t('unknown.text'), '/', t('unknown.home'));

export const unknownEvent = (page: Page) => tell(page, t('missing.title'), t('missing.text'), '/', t('unknown.home'));

export function refused(page: Page, eventToken: string, given: string) {
  const text = given ? t('refused.wrong') : t('refused.none');
  tell(page, t('refused.title'), text, eventPath(eventToken), t('refused.public'));
}

/** Redraws a page when its event changes, or when the event to which it has moved changes. */
export function followEvent(page: Page, eventToken: string, draw: () => unknown) {
  onEvents((token) => {
    if (token && token !== eventToken && token !== targetOf(eventToken)) return;
    if (isMissing(eventToken)) unknownEvent(page);
    else void draw();
  }, page.signal);
}

/** An error page that tries again by itself when the network is back. */
export function unreachable({ head, show, signal }: Page, error: APIError, again: () => unknown) {
  head({ title: t('unreachable.title') });
  const redo = () => {
    removeEventListener('online', redo);
    again();
  };
  void show(plainPage(t('unreachable.title'), error.words, retry(t('unreachable.again'), redo, 'primary')));
  say(error.words);
  addEventListener('online', redo, { signal });
}
