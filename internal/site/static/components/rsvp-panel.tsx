import { h, user, type Child } from '../lib/dom';
import { locale, t } from '../lib/i18n';
import { madeHere, sendNow, staying, type Shown } from '../lib/outbox';
import type { SavedRSVP } from '../lib/saved';
import { limits, sentences } from '../lib/text';
import { isComing, isOpen, lastDay, phase, whenIn } from '../lib/time';
import { button } from './buttons';
import { calendarLink, otherCalendars } from './calendar-links';
import { field } from './field';
import { keepRSVP } from './keep-rsvp';
import { asks, movedPanel } from './moved';
import { asOfNotice, retry } from './notice';
import { leaving, namesIn, notKept, rowOf, withdrawnNotice, type PanelActions, type PanelState } from './own-rsvp';
import { closed, reason } from './poster';
import { shareLink } from './share-link';
import { refusal, textsOf } from './unsent';

const accepts = (state: PanelState) => !state.closed && isOpen(state.event);

export const rsvpPanel = (state: PanelState, actions: PanelActions) => (
  <div class="card" id="panel">
    {asOfNotice(state.asOf, actions.again)}
    {state.event.to
      ? movedPanel(state, actions)
      : state.event.cancelled
        ? reason(state.event, { isGuest: true })
        : !accepts(state) && closed(state.event)}
    {withdrawnNotice(state.withdrawn, actions.dismissed)}
    {state.rsvps.length > 0 && !asks(state.event) && yours(state, actions)}
    <div class="problems" aria-live="assertive">
      {state.items.map((item) => item.refused && refused(state, item, actions))}
    </div>
    {waiting(state)}
    {hasForm(state) && [
      state.thanks && <p id="thanks">{t('withdraw.thanks')}</p>,
      phase(state.event) === 'over' ? folded('after', t('rsvp.titleOver'), state, actions) : form(state, actions),
      listed(),
    ]}
  </div>
);

/** The button that withdraws a name. If the event is cancelled or over, it removes the name, and does not cancel the RSVP. */
function signedUp(rsvp: SavedRSVP, state: PanelState, actions: PanelActions) {
  const { rsvpToken, byLink, name } = rsvp;
  const coming = isComing(state.event);
  const label = coming ? t('yours.cancelName', { name }) : t('yours.removeName', { name });
  return (
    <li id={rowOf(rsvpToken)}>
      {byLink && madeHere(state.event.eventToken).length > 0 && user(t('yours.link', { name }))}
      {button(coming && state.rsvps.length === 1 ? t('yours.cancel') : label, () => actions.withdraw(rsvp), 'line', {
        'aria-label': label,
      })}
    </li>
  );
}

function yours(state: PanelState, actions: PanelActions) {
  const { event, rsvps } = state;
  const left = staying(state);
  const coming = isComing(event);
  const own = madeHere(event.eventToken);
  const shares = left.length > 0 && !['over', 'closed'].includes(phase(event));
  const isIn = coming && own.length > 0;
  const title = isIn
    ? ([t('yours.in', { name: own[0]?.name ?? '' }), t('yours.both')][own.length - 1] ??
      t('yours.title', { n: own.length }))
    : own.length
      ? t('yours.were')
      : t('yours.link', { name: new Intl.ListFormat(locale).format(left.map(({ name }) => name)) });
  return (
    <section class="yours" id="yours" aria-labelledby="yours-title">
      {left.length > 0 && (
        <h2 id="yours-title" class={isIn ? 'moment' : ''} tabindex={-1}>
          {title}
        </h2>
      )}
      {isIn && (
        <p id="yours-facts">
          {own.length === 1 && state.number > 0 && `${t('yours.number', { n: state.number })}\u00A0· `}
          {whenIn(event)}
        </p>
      )}
      {notKept()}
      {shares && (
        <div class="actions">
          {calendarLink(event, true)}
          {!event.cancelled && shareLink(event, { isGuest: true })}
        </div>
      )}
      <div class="rows">
        {shares &&
          !event.cancelled && [
            otherCalendars(event),
            accepts(state) &&
              !unsent(state, 'rsvp').some(({ error }) => error) &&
              folded('bring', t('rsvp.another'), state, actions),
            keepRSVP(left),
          ]}
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

/** The form for companions, or after the event. It is open if a name was already typed. */
const folded = (id: string, title: string, state: PanelState, actions: PanelActions) => (
  <details class="fold" id={id} open={Boolean(state.name || state.error)}>
    <summary class="line" id="rsvp-title">
      {title}
    </summary>
    {form(state, actions)}
  </details>
);

const unsent = ({ items }: PanelState, kind: string) =>
  items.filter((item) => item.kind === kind && !item.early && !item.refused);

/** Whether the panel shows what is being sent instead of the form. */
const isBusy = (state: PanelState) =>
  unsent(state, 'rsvp').some(({ error }) => error) || unsent(state, 'withdraw').length > 0;

/** Whether the panel asks for the name of a guest. */
export const hasForm = (state: PanelState) => accepts(state) && !state.rsvps.length && !isBusy(state);

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
function refused(state: PanelState, item: Shown, { dismissed }: PanelActions) {
  const { id, eventToken, error } = item;
  const isShown = !accepts(state) && eventToken === state.event.eventToken && error?.code.startsWith('event-');
  return (
    <div class="notice bad" id={`refused-${id}`}>
      {refusal(item, dismissed, 'secondary', isShown ? '' : error?.words)}
    </div>
  );
}

function form(state: PanelState, actions: PanelActions) {
  const more = state.rsvps.length > 0;
  const over = phase(state.event) === 'over';
  const sending = unsent(state, 'rsvp').length > 0;
  const names = namesIn(state);
  const submit = names.length > 1 ? t('rsvp.submitBoth') : over ? t('rsvp.submitOver') : t('rsvp.submit');
  return (
    <form
      id="rsvp"
      novalidate
      class={more ? 'rsvp more' : 'rsvp'}
      aria-labelledby="rsvp-title"
      onsubmit={actions.submit}
    >
      {!more && !over && (
        <h2 id="rsvp-title" tabindex={-1}>
          {t('rsvp.title')}
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
        {sending ? t('rsvp.sending') : more ? t('rsvp.bring') : submit}
      </button>
      {names.length > 1 &&
        !sending &&
        button(t('rsvp.onePerson', { name: state.name.trim() }), actions.keepWhole, 'plain')}
      {!more && (
        <p class="hint">
          {over ? sentences(t('rsvp.hint'), t('rsvp.hintOver', { date: lastDay(state.event) })) : [t('rsvp.hint')]}
        </p>
      )}
    </form>
  );
}
