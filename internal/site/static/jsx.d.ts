// The elements that the site uses: their attributes, as HTML spells them, and their listeners. An attribute that is
// false, null or undefined is not there.
import type { Children, Described } from './lib/dom';

type Optional<Attributes> = { [Name in keyof Attributes]?: Attributes[Name] | false | null | undefined };

type Listeners<Target, Kind extends keyof HTMLElementEventMap, More> = {
  [Name in Kind as `on${Name}`]: (event: HTMLElementEventMap[Name] & { currentTarget: Target } & More) => unknown;
};

/** An element without content. */
type Void<Target, Attributes = unknown, Kind extends keyof HTMLElementEventMap = never, More = unknown> = Optional<
  Common & Attributes & Listeners<Target, Kind | 'click' | 'mousedown', More>
>;

type Content<Target, Attributes = unknown, Kind extends keyof HTMLElementEventMap = never, More = unknown> = Void<
  Target,
  Attributes,
  Kind,
  More
> & { children?: Children };

/** The events of a field come from itself; those of other elements may come from an element inside it. */
type Field<Target, Attributes> = Content<
  Target,
  Attributes & { name: string; required: boolean; autocomplete: 'name' | 'off'; value: string },
  'change' | 'focus' | 'input' | 'keydown' | 'keyup' | 'pointerdown',
  { target: Target }
>;

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

type Vector = { height: number; preserveAspectRatio: 'none'; viewBox: string; width: number; focusable: 'false' };

declare global {
  namespace JSX {
    type Element = Described;

    /** A part of a page is not an element, but a function that is called. */
    type ElementType = keyof IntrinsicElements;

    interface ElementChildrenAttribute {
      children: unknown;
    }

    interface IntrinsicElements {
      a: Content<HTMLAnchorElement, { download: string; href: string; rel: string; target: '_blank' }>;
      aside: Content<HTMLElement>;
      b: Content<HTMLElement>;
      bdi: Content<HTMLElement>;
      button: Content<HTMLButtonElement, { disabled: boolean; type: 'button' | 'submit'; value: string }>;
      dd: Content<HTMLElement>;
      details: Content<HTMLDetailsElement, { open: boolean }, 'toggle'>;
      dialog: Content<HTMLDialogElement, { closedby: 'any' }, 'close'>;
      div: Content<HTMLDivElement>;
      dl: Content<HTMLDListElement>;
      dt: Content<HTMLElement>;
      fieldset: Content<HTMLFieldSetElement>;
      form: Content<HTMLFormElement, { method: 'dialog'; novalidate: boolean }, 'input' | 'submit'>;
      h1: Content<HTMLHeadingElement>;
      h2: Content<HTMLHeadingElement>;
      img: Void<
        HTMLImageElement,
        { alt: string; height: number; loading: 'lazy'; src: string; width: number },
        'error',
        { target: HTMLImageElement }
      >;
      input: Field<
        HTMLInputElement,
        {
          accept: string;
          checked: boolean;
          enterkeyhint: 'done' | 'next' | 'send';
          max: string;
          maxlength: number;
          min: string;
          placeholder: string;
          readonly: boolean;
          type: 'checkbox' | 'date' | 'file' | 'radio' | 'search' | 'text' | 'time';
        }
      >;
      label: Content<HTMLLabelElement, { for: string }>;
      legend: Content<HTMLLegendElement>;
      li: Content<HTMLLIElement, { value: number }>;
      link: Void<HTMLLinkElement, { href: string; rel: 'canonical' }>;
      meta: Void<HTMLMetaElement, { content: string; name: string }>;
      ol: Content<HTMLOListElement>;
      optgroup: Content<HTMLOptGroupElement, { label: string }>;
      option: Content<HTMLOptionElement, { value: string }>;
      p: Content<HTMLParagraphElement>;
      path: Void<SVGPathElement, { d: string; pathLength: number }>;
      s: Content<HTMLElement>;
      section: Content<HTMLElement>;
      select: Field<HTMLSelectElement, unknown>;
      span: Content<HTMLSpanElement>;
      strong: Content<HTMLElement>;
      summary: Content<HTMLElement>;
      svg: Content<SVGSVGElement, Vector>;
      textarea: Field<HTMLTextAreaElement, { maxlength: number; readonly: boolean; rows: number }>;
      time: Content<HTMLTimeElement, { datetime: string }>;
      ul: Content<HTMLUListElement>;
      use: Void<SVGUseElement, { href: string }>;
    }
  }
}
