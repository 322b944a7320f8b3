// Writes a line for each feature that a script, a style sheet or a page uses and a browser of the baseline lacks, by
// MDN's compatibility data: the file, the feature and the browsers, separated by tabs.
//   node baseline.mjs NODE_MODULES '{"chrome":"100"}' FOLDER
// The type of most objects is unknown. So a member is written if no interface of the baseline has a member of its name.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, resolve } from 'node:path';

const [modules, baseline, folder] = process.argv.slice(2);
const packages = createRequire(resolve(modules, 'package.json'));
const { api, css, html, javascript, browsers } = packages('@mdn/browser-compat-data');
const acorn = packages('acorn');
const { full } = packages('acorn-walk');
const cssTree = packages('css-tree');

const wanted = Object.entries(JSON.parse(baseline));
const parts = (version) => version.replace('≤', '').split('.').map(Number);
const isNewer = (version, than) => {
  const [major, minor = 0] = parts(version);
  const [wantedMajor, wantedMinor = 0] = parts(than);
  return major === wantedMajor ? minor > wantedMinor : !(major < wantedMajor);
};

/** The browsers of the baseline that lack a feature, each with the version that brings it. */
function lacking(feature, prefixes) {
  return wanted.flatMap(([browser, version]) => {
    const statements = [feature.__compat.support[browser] ?? { version_added: false }].flat();
    const usable = statements.filter(
      ({ flags, prefix, alternative_name }) => !flags && !alternative_name && (!prefix || prefixes.includes(prefix)),
    );
    const from = usable.map((one) => one.version_added).filter((added) => typeof added === 'string');
    if (from.some((added) => !isNewer(added, version))) return [];
    return [`${browsers[browser].name} ${version} (${from.at(-1) ?? 'no version has it'})`];
  });
}

const found = new Map();
function use(name, features, prefixes = []) {
  const missing = features.filter((feature) => feature?.__compat).map((feature) => lacking(feature, prefixes));
  if (missing.length && missing.every((each) => each.length)) found.set(name, missing[0].join(', '));
}

const useAttribute = (tag, name) =>
  html.elements[tag] && use(`<${tag} ${name}>`, [html.elements[tag][name] ?? html.global_attributes[name]]);

// Scripts.

const interfaces = { ...javascript.builtins, ...javascript.builtins.Intl, ...api };
const instances = { document: 'Document', navigator: 'Navigator', location: 'Location', history: 'History' };
/** All members of this name. */
const membersNamed = (name) =>
  Object.values(interfaces).flatMap((members) => (Object.hasOwn(members, name) ? [members[name]] : []));

/** The members of the site's own objects. A newer member of browsers may have the same name, and is not written. */
const ownMembers = new Set(['element']);
const keyOf = ({ computed, key }) => (computed ? undefined : (key?.name ?? key?.value));
const treeOf = (source, ecmaVersion) => acorn.parse(source, { ecmaVersion, sourceType: 'module' });

/** Collects ownMembers. early.js is parsed as old JavaScript: it also runs in older browsers, to show a message. */
function gather([file, source]) {
  full(treeOf(source, file === 'early.js' ? 2017 : 'latest'), (node) => {
    if (node.type === 'ObjectExpression') node.properties.forEach((property) => ownMembers.add(keyOf(property)));
  });
}

function checkMember(object, name) {
  const owner = interfaces[instances[object] ?? object];
  const own = owner?.[`${name}_static`] ?? owner?.[name];
  if (own) use(`${object}.${name}`, [own]);
  else use(`.${name}`, membersNamed(name));
}

function checkScript(source) {
  full(treeOf(source, 'latest'), (node) => {
    if (node.type === 'MemberExpression' && !node.computed && !ownMembers.has(node.property.name)) {
      checkMember(node.object.name, node.property.name);
    } else if (node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern') {
      const object = node.init?.name;
      if (instances[object]) node.id.properties.forEach((property) => checkMember(object, keyOf(property)));
    } else if (node.type === 'CallExpression' && node.arguments[1]?.type === 'ObjectExpression') {
      // JSX.
      const [{ value: tag }, { properties }] = node.arguments;
      properties.forEach((property) => useAttribute(tag, keyOf(property)));
    } else if (node.type === 'Identifier') {
      use(node.name, [api[node.name] ?? api.Window[node.name] ?? api._globals?.[node.name] ?? interfaces[node.name]]);
    }
  });
}

// Style sheets.

const viewportUnits = { d: 'dynamic', s: 'small', l: 'large' };
const unitOf = (unit) => {
  const lengths = css.types.length;
  const viewport = viewportUnits[/^([dsl])v\w+$/.exec(unit)?.[1]];
  if (viewport) return lengths[`viewport_percentage_units_${viewport}`];
  return /^cq/.test(unit) ? lengths.container_query_length_units : lengths[unit];
};
/** Returns all functions with this name in the data about types, such as oklch in the data about colours. */
const functionsNamed = (name, within = css.types) =>
  Object.entries(within).flatMap(([key, value]) =>
    key === '__compat' ? [] : [...(key === name ? [value] : []), ...functionsNamed(name, value)],
  );

function checkStyle(source) {
  const prefixed = (name) => ['-webkit-', '-moz-'].filter((prefix) => source.includes(prefix + name));
  const kinds = {
    Atrule: ({ name }) => use(`@${name}`, [css['at-rules'][name]]),
    Declaration: ({ property }) => use(property, [css.properties[property]], prefixed(property)),
    Dimension: ({ unit }) => use(`1${unit}`, [unitOf(unit)]),
    Feature: ({ name }) => use(`@media (${name})`, [css['at-rules'].media[name]]),
    FeatureRange: ({ kind }) => kind === 'media' && use('@media (a < b)', [css['at-rules'].media.range_syntax]),
    Function: ({ name }) => use(`${name}()`, functionsNamed(name)),
    Identifier({ name }) {
      const { property } = this.declaration ?? {};
      if (!property || prefixed(property).length) return;
      use(`${property}: ${name}`, [css.properties[property]?.[name]], prefixed(name));
    },
    Operator({ value }) {
      if (value === '/' && this.declaration?.property === 'content')
        use('content: a / b', [css.properties.content.alt_text]);
    },
    NestingSelector: () => use('&', [css.selectors.nesting]),
    PseudoClassSelector: ({ name }) => use(`:${name}`, [css.selectors[name]]),
    PseudoElementSelector: ({ name }) => use(`:${name}`, [css.selectors[name]]),
  };
  function enter(node) {
    if (node.type === 'Atrule' && node.name === 'supports') {
      // In the block, the condition says that the feature is there.
      if (/^not\b/.test(cssTree.generate(node.prelude))) cssTree.walk(node.block, enter);
      return this.skip;
    }
    kinds[node.type]?.call(this, node);
    return undefined;
  }
  cssTree.walk(cssTree.parse(source, { parseCustomProperty: true }), enter);
}

// Pages.

function checkPage(source) {
  for (const [, tag, attributes] of source.matchAll(/<(\w+)\s([^>]*)>/g)) {
    for (const [name] of attributes.replace(/="[^"]*"/g, '').matchAll(/[\w-]+/g)) useAttribute(tag, name);
  }
}

const sources = readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
const named = (extension) => sources.filter(([file]) => extname(file) === extension);
named('.js').forEach(gather);
for (const [check, files] of [
  [checkPage, named('.html')],
  [checkStyle, named('.css')],
  [checkScript, named('.js')],
]) {
  for (const [file, source] of files) {
    found.clear();
    check(source);
    for (const [name, missing] of found) console.log([file, name, missing].join('\t'));
  }
}
