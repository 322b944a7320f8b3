import type { EventDetails } from '../lib/api';
import { h, user, type Child } from '../lib/dom';
import { locale, t } from '../lib/i18n';
import { limits } from '../lib/limits';
import { sendNow, staying, type Shown } from '../lib/outbox';
import type { SavedRSVP } from '../lib/saved';
import { sentences } from '../lib/text';
import { isComing, lastDay, phase } from '../lib/time';
import { button } from './buttons';
import { calendarLinks } from './calendar-links';
import { field } from './field';
import { keepRSVP } from './keep-rsvp';
import { asks, movedPanel } from './moved';
import { asOfNotice, notice, retry } from './notice';
import { leaving, notKept, rowOf, type PanelActions, type PanelState } from './own-rsvp';
import { closed, reason } from './poster';
import { shareLink } from './share-link';
import { textsOf } from './unsent';

export const isOpen = (state: PanelState) => !state.closed && !state.event.cancelled && phase(state.event) !== 'closed';

export const rsvpPanel = (state: PanelState, actions: PanelActions) => (
  <div class="card" id="panel">
    {asOfNotice(state.asOf, actions.again)}
    {state.event.to
      ? movedPanel(state, actions)
      : state.event.cancelled
        ? reason(state.event)
        : !isOpen(state) && closed(state.event)}
    {state.withdrawn.length > 0 &&
      notice(
        'bad',
        <p>{t('yours.withdrawn')}</p>,
        ...state.withdrawn.map(({ name }) => user(name, 'p')),
        button(t('outbox.dismiss'), actions.forget, 'secondary'),
      )}
    {state.rsvps.length > 0 && !asks(state.event) && yours(state, actions)}
    <div class="problems" aria-live="assertive">
      {state.items.filter(({ refused }) => refused).map((item) => refusal(state, item, actions))}
    </div>
    {waiting(state)}
    {isOpen(state) &&
      !state.rsvps.length &&
      !isBusy(state) && [state.thanks && <p id="thanks">{t('withdraw.thanks')}</p>, form(state, actions), listed()]}
  </div>
);

/** The button that withdraws a name. If the event is cancelled or over, it removes the name, and does not cancel the RSVP. */
function signedUp(rsvp: SavedRSVP, state: PanelState, actions: PanelActions) {
  const { rsvpToken, byLink, name } = rsvp;
  const coming = isComing(state.event);
  const label = coming ? t('yours.cancelName', { name }) : t('yours.removeName', { name });
  return (
    <li id={rowOf(rsvpToken)}>
      {byLink && madeHere(state).length > 0 && user(t('yours.link', { name }))}
      {button(coming && state.rsvps.length === 1 ? t('yours.cancel') : label, () => actions.withdraw(rsvp), 'line', {
        'aria-label': label,
      })}
    </li>
  );
}

/** The names that stay and were not added by a link. */
const madeHere = (state: PanelState) => staying(state).filter(({ byLink }) => !byLink);

function yours(state: PanelState, actions: PanelActions) {
  const { event, rsvps } = state;
  const left = staying(state);
  const coming = isComing(event);
  const own = madeHere(state).length;
  const shares = left.length > 0 && !['over', 'closed'].includes(phase(event));
  const title = !own
    ? t('yours.link', { name: new Intl.ListFormat(locale).format(left.map(({ name }) => name)) })
    : coming
      ? own === 1 && state.number
        ? t('yours.number', { n: state.number })
        : t('yours.title', { n: own })
      : t('yours.were');
  return (
    <section class="yours" id="yours" aria-labelledby="yours-title">
      {left.length > 0 && (
        <h2 id="yours-title" class={coming && own === 1 && state.number > 0 ? 'moment' : ''} tabindex={-1}>
          {title}
        </h2>
      )}
      {notKept()}
      {shares && (
        <div class="actions">
          {calendarLinks(event, { isGuest: true })}
          {!event.cancelled && shareLink(event, { isGuest: true })}
        </div>
      )}
      <div class="rows">
        {shares && !event.cancelled && [isOpen(state) && bring(state, actions), keepRSVP(left)]}
        <ul>
          {rsvps.map((rsvp, index) =>
            left.includes(rsvp)
              ? signedUp(rsvp, state, actions)
              : leaving({ rsvp, isComing: coming, isTitle: !left.length && !index }, actions),
          )}
        </ul>
      </div>
    </section>
  );
}

/** For a guest whose browser has forgotten the RSVP. */
const listed = () => (
  <details id="listed">
    <summary class="plain">{t('listed.title')}</summary>
    <p class="hint">{t('listed.text')}</p>
  </details>
);

/** The form for companions. It is open if a name was already typed. */
const bring = (state: PanelState, actions: PanelActions) =>
  !unsent(state, 'rsvp').some((item) => item.error) && (
    <details class="fold" id="bring" open={Boolean(state.name || state.error)}>
      <summary class="line" id="rsvp-title">
        {t('rsvp.another')}
      </summary>
      {form(state, actions)}
    </details>
  );

const unsent = ({ items }: PanelState, kind: string) =>
  items.filter((item) => item.kind === kind && !item.early && !item.refused);

/** Whether the panel shows what is being sent instead of the form. */
const isBusy = (state: PanelState) =>
  unsent(state, 'rsvp').some(({ error }) => error) || unsent(state, 'withdraw').length > 0;

/** Shown until there is an answer. The same request is repeated until then. */
function waiting(state: PanelState): Child {
  const all = [...unsent(state, 'rsvp'), ...unsent(state, 'withdraw')];
  const error = all.find((item) => item.error)?.error;
  if (!error && (state.rsvps.length || !unsent(state, 'withdraw').length)) return false;
  const texts = error ? all.map((item) => textsOf(item).waiting) : [];
  return (
    <section class="notice" id="waiting" aria-labelledby="waiting-title">
      <h2 id="waiting-title" tabindex={-1}>
        {!error ? t('rsvp.sending') : error.kind === 'offline' ? texts.shift() : t('waiting.title')}
      </h2>
      {texts.map((text) => (
        <p>{text}</p>
      ))}
      {error && retry(t('waiting.now'), sendNow, 'primary')}
    </section>
  );
}

/** A refusal, with the reason unless the page already shows it. @param item that the service has refused */
const refusal = (state: PanelState, item: Shown, actions: PanelActions) => (
  <div class="notice bad" id={`refused-${item.id}`}>
    <p>{textsOf(item).refused}</p>
    {(isOpen(state) || item.eventToken !== state.event.eventToken || !item.error?.code.startsWith('event-')) && (
      <p>{item.error?.words}</p>
    )}
    {button(t('outbox.dismiss'), () => actions.dismiss(item.id), 'secondary')}
  </div>
);

/** The label of the form's button. */
export const submitText = (event: EventDetails) => (phase(event) === 'over' ? t('rsvp.submitOver') : t('rsvp.submit'));

function form(state: PanelState, actions: PanelActions) {
  const more = state.rsvps.length > 0;
  const over = phase(state.event) === 'over';
  const sending = unsent(state, 'rsvp').length > 0;
  return (
    <form
      id="rsvp"
      novalidate
      class={more ? 'rsvp more' : 'rsvp'}
      aria-labelledby="rsvp-title"
      onsubmit={actions.submit}
    >
      {!more && (
        <h2 id="rsvp-title" tabindex={-1}>
          {over ? t('rsvp.titleOver') : t('rsvp.title')}
        </h2>
      )}
      {field({
        id: 'name',
        label: more ? t('rsvp.theirName') : t('rsvp.name'),
        limit: limits.name,
        value: state.name,
        control: (given) => (
          <input
            {...given}
            autocomplete={more ? 'off' : 'name'}
            required
            enterkeyhint="send"
            oninput={({ target }) => actions.type(target.value)}
          />
        ),
        error: state.error,
      })}
      <button type="submit" class={more ? 'secondary' : 'primary large'} aria-disabled={sending && 'true'}>
        {sending ? t('rsvp.sending') : more ? t('rsvp.bring') : submitText(state.event)}
      </button>
      {!more && (
        <p class="hint">
          {over ? sentences(t('rsvp.hint'), t('rsvp.hintOver', { date: lastDay(state.event) })) : [t('rsvp.hint')]}
        </p>
      )}
    </form>
  );
}
