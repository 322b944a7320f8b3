// The elements that the site uses, with their attributes as HTML spells them. h omits an attribute that is false, null
// or undefined.
import type { Children, Described } from './lib/dom';

type Common = {
  'aria-busy': 'true';
  'aria-describedby': string;
  'aria-disabled': 'true';
  'aria-hidden': 'true';
  'aria-invalid': 'true';
  'aria-label': string;
  'aria-labelledby': string;
  'aria-live': 'assertive' | 'polite';
  autofocus: boolean;
  class: string;
  'data-colour': number;
  dir: 'auto' | 'ltr';
  hidden: boolean;
  id: string;
  inert: boolean;
  lang: string;
  role: 'group' | 'search' | 'status';
  tabindex: number;
  title: string;
};

type Field = { name: string; required: boolean; autocomplete: 'name' | 'off'; value: string };
type Text = Field & { enterkeyhint: 'done' | 'next' | 'send'; maxlength: number; readonly: boolean };

type Own = {
  a: { download: string; href: string; rel: string; target: '_blank' };
  button: { 'aria-pressed': 'false' | 'true'; disabled: boolean; type: 'button' | 'submit'; value: string };
  details: { open: boolean };
  dialog: { closedby: 'any' };
  form: { method: 'dialog'; novalidate: boolean };
  img: { alt: string; height: number; loading: 'lazy'; src: string; width: number };
  input: Text & {
    accept: string;
    checked: boolean;
    max: string;
    min: string;
    placeholder: string;
    type: 'checkbox' | 'date' | 'file' | 'radio' | 'search' | 'text' | 'time';
  };
  label: { for: string };
  li: { value: number; 'data-longest': string };
  link: { href: string; rel: 'canonical' | 'manifest' };
  meta: { content: string; name: string };
  optgroup: { label: string };
  option: { value: string };
  path: { d: string; pathLength: number };
  select: Field;
  svg: { height: number; preserveAspectRatio: 'none'; viewBox: string; width: number; focusable: 'false' };
  textarea: Text & { rows: number };
  time: { datetime: string };
  use: { href: string };
};

type Plain =
  'aside' | 'b' | 'bdi' | 'dd' | 'div' | 'dl' | 'dt' | 'fieldset' | 'h1' | 'h2' | 'legend' | 'ol' | 'p' | 's';
type Tag = keyof Own | Plain | 'section' | 'span' | 'strong' | 'summary' | 'ul';
type Void = 'img' | 'link' | 'meta' | 'path' | 'use';
type Control = 'input' | 'select' | 'textarea';

type Events = { details: 'toggle'; dialog: 'close'; form: 'input' | 'submit'; img: 'error' } & Record<
  Control,
  'blur' | 'change' | 'focus' | 'input' | 'keydown' | 'keyup' | 'pointerdown'
>;

/** The member of a table for a key. */
type At<Table, Key, Otherwise> = Key extends keyof Table ? Table[Key] : Otherwise;

/**
 * The types of events. A control's events come from the control itself. Events of other elements may come from an
 * element inside.
 */
type Listeners<
  Name,
  Kind extends keyof HTMLElementEventMap = 'click' | 'mousedown' | At<Events, Name, never>,
  Target = At<HTMLElementTagNameMap & Pick<SVGElementTagNameMap, 'path' | 'svg' | 'use'>, Name, never>,
> = {
  [Each in Kind as `on${Each}`]: (
    event: HTMLElementEventMap[Each] & { currentTarget: Target } & At<
        Record<Control | 'img', { target: Target }>,
        Name,
        unknown
      >,
  ) => unknown;
};

type Attributes<Name> = Common & At<Own, Name, unknown> & Listeners<Name>;
type Optional<All> = { [Name in keyof All]?: All[Name] | false | null | undefined };

declare global {
  namespace JSX {
    type Element = Described;

    type IntrinsicElements = {
      [Name in Tag]: Optional<Attributes<Name>> & (Name extends Void ? unknown : { children?: Children });
    };

    /** A part of a page is not an element, but a function that is called. */
    type ElementType = keyof IntrinsicElements;

    interface ElementChildrenAttribute {
      children: unknown;
    }
  }
}
