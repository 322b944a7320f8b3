// All texts of a language that contain a date, a name or a number, with numbers of every plural
// category, at noon on 1 May 2027. words_test.go calls this function in a page.
(async (tag, tags) => {
  const RealDate = self.RealDate ??= Date;
  const now = RealDate.parse('2027-05-01T12:00:00Z');
  self.Date = class extends RealDate {
    constructor(...given) { super(...(given.length ? given : [now])); }
    static now() { return now; }
  };
  document.documentElement.dataset.tag = tag;
  const { dataset } = document.documentElement;
  dataset.locales = dataset.languages = JSON.stringify(Object.fromEntries(tags.map((one) => [one, `/locales/${one}.json`])));
  const [i18n, { phase }, { dateIn, relativeDay, timeIn, whenIn, zoneName, readerTime }, { state, turnout }, { message }, { told }, { linksText }, { nearDays }] =
    await Promise.all(['/lib/i18n.js', '/lib/event.js', '/lib/time.js', '/components/poster.js', '/components/share-link.js', '/components/share-panel.js', '/lib/files.js', '/lib/zones.js'].map((name) => import(name)));
  const { loadLanguage, t } = i18n;
  await loadLanguage();
  const lines = [];
  const say = (what, text) => lines.push(`${what}: ${text.replace(/[\u2066-\u2069]/g, '').replaceAll('\n', ' | ')}`);
  const event = { eventToken: '0', title: 'Picnic', dateTime: '2027-06-05T19:30:00+02:00', timezone: 'Europe/Berlin', location: 'Park', attendeeCount: 0 };
  const list = (...names) => new Intl.ListFormat(i18n.locale).format(names);
  const values = { date: dateIn(event), time: timeIn(event), instead: timeIn(event), zone: 'Berlin', offset: 'UTC+02:00', place: 'Park', host: 'Mara & Jo', title: 'Picnic', line: 7, status: 500, all: 1234 };
  for (const [key, text] of Object.entries(await (await fetch(`/locales/${tag}.json`)).json())) {
    const all = typeof text === 'string' ? text : Object.values(text).join();
    if (key === 'mine.guest') {
      say(key, [['Ada'], ['Ada', 'Ben'], ['Ada', 'Ben', 'Cleo']].map((names) => t(key, { n: names.length, name: list(...names) })).join(' / '));
    } else if (typeof text === 'object' || all.includes('{n}')) {
      say(key, [...new Set([0, 1, 2, 5, 11, 21, 1234].map((n) => t(key, { ...values, n })))].join(' / '));
    } else if (all.includes('{name}')) {
      say(key, ['Ada', 'محمد علي بن عبد الرحمن', 'Maria da Conceição Álvares de Vasconcelos'].map((name) => t(key, { ...values, name })).join(' / '));
    } else if (all.includes('{')) {
      say(key, t(key, values));
    }
  }
  for (const [dateTime, cancelled] of [['2027-06-05T19:30:00+02:00'], ['2028-01-01T00:05:00+01:00'], ['2027-05-02T14:00:00+02:00'], ['2027-05-01T13:00:00+02:00'],
    ['2027-04-30T19:30:00+02:00'], ['2027-02-01T19:30:00+01:00'], ['2027-06-05T19:30:00+02:00', true]]) {
    const at = { ...event, dateTime, cancelled };
    say(phase(at), [state(at), whenIn(at), relativeDay(at), ...[0, 1, 21].map((attendeeCount) => turnout({ ...at, attendeeCount }))].filter(Boolean).join(' / '));
  }
  for (const timezone of ['America/New_York', 'Asia/Tokyo', 'UTC']) {
    const there = { ...event, timezone };
    say(timezone, [zoneName(there), t('event.reader', { time: readerTime(there) })].join(' / '));
  }
  say('days', nearDays('Europe/Berlin').map(({ texts }) => texts.join(' ')).join(' / '));
  say('days and months', ['2027-06-15', '2027-06-16', '2027-03-17', '2027-03-16'].map((date) => relativeDay({ ...event, dateTime: `${date}T12:00:00Z` })).join(' / '));
  say('message', message(event));
  for (const change of [{}, { cancellationReason: 'Flu' }, { to: { ...event, dateTime: '2027-06-06T14:00:00+02:00', location: 'Café' }, cancellationReason: 'Flu' },
    { to: { ...event, location: 'Café' } }, { to: event, cancellationReason: 'Flu' }]) {
    const { text, url } = told({ ...event, ...change });
    say('told', [text, url.replace(location.origin, '')].join(' | '));
  }
  say('links', linksText(event, 'secret').replaceAll(location.origin, ''));
  // Regions that write dates or digits differently, on the first of a month.
  for (const region of { ar: ['ar-EG'], fr: ['fr-CA', 'fr-CH'], pt: ['pt-PT'] }[tag] ?? []) {
    document.documentElement.dataset.tag = region;
    await loadLanguage();
    const at = { ...event, dateTime: '2028-05-01T19:30:00+02:00' };
    say(region, [whenIn(at), relativeDay(at), nearDays('Europe/Berlin')[1].texts.join(' '), turnout({ ...at, attendeeCount: 1234 })].join(' / '));
  }
  return `${lines.join('\n')}\n`;
})
