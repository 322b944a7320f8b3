// @ts-check
import { button } from '../components/buttons';
import { plainPage } from '../components/notice';
import { announce, h } from '../lib/dom';
import { isGone, onEvents, targetOf } from '../lib/events';
import { t } from '../lib/i18n';
import { forgetAbout } from '../lib/event-data';
import { eventPath } from '../lib/urls';

/** @typedef {import('../app').Page} Page */

/** @param {string} href @param {string} label */
const way = (href, label) => h('a', { href, class: 'primary' }, label);

/** @param {Page} page */
export function unknownPage({ head, show }) {
  head({ title: t('unknown.title') });
  show(plainPage(t('unknown.title'), t('unknown.text'), way('/', t('unknown.home'))));
}

/** @param {Page} page @param {string} eventToken */
export function unknownEvent({ head, show }, eventToken) {
  forgetAbout(eventToken);
  head({ title: t('missing.title') });
  show(plainPage(t('missing.title'), t('missing.text'), way('/', t('unknown.home'))));
}

/** Redraws a page at news of its event, or of the one that it has moved to. @param {Page} page @param {string} eventToken @param {() => void} draw */
export function followEvent(page, eventToken, draw) {
  onEvents((token) => {
    if (token && token !== eventToken && token !== targetOf(eventToken)) return;
    if (isGone(eventToken)) unknownEvent(page, eventToken);
    else draw();
  }, page.signal);
}

/** @param {Page} page @param {string} eventToken @param {string} given */
export function refused({ head, show }, eventToken, given) {
  head({ title: t('refused.title') });
  show(
    plainPage(
      t('refused.title'),
      given ? t('refused.wrong') : t('refused.none'),
      way(eventPath(eventToken), t('refused.public')),
    ),
  );
}

/**
 * An error page that tries again by itself when the network is back.
 * @param {Page} page
 * @param {import('../lib/api').APIError} error
 * @param {() => unknown} again
 */
export function unreachable({ head, show, signal }, error, again) {
  head({ title: t('unreachable.title') });
  const retry = () => {
    removeEventListener('online', retry);
    again();
  };
  show(plainPage(t('unreachable.title'), error.words, button(t('unreachable.again'), retry, 'primary')));
  announce(error.words);
  addEventListener('online', retry, { signal });
}
