/** An error in the bundle's first line. Package bundletest puts it there. */
declare const first: Error;

type Outcome = { value: unknown } | { error: string; lines: number[] };

/**
 * Resolves to an expression's value, or to its error and the lines of this bundle from which the error came, the last
 * line first.
 */
export async function outcome(evaluate: () => unknown): Promise<Outcome> {
  try {
    return { value: (await evaluate()) ?? null };
  } catch (error) {
    const [before = 0] = linesOf(first);
    return { error: String(error), lines: linesOf(error).map((line) => line - before + 1) };
  }
}

// WebKit's stacks contain no lines of a script without a URL, but its errors have the line of the last call.
function linesOf(error: unknown) {
  const { stack = '', line, sourceURL } = error as { stack?: string; line?: number; sourceURL?: string };
  const lines = [...stack.matchAll(/functions\.js:(\d+)/g)].map((match) => Number(match[1]));
  return line && !sourceURL ? [line] : lines;
}

/** Replaces a method. The function `by` gets the former method and returns the new method. */
export function replace<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  by: (before: Target[Name]) => Target[Name],
) {
  target[name] = by(target[name]);
}

let trouble: string[] | null = null;

/** Collects the page's errors, for a driver that does not report errors. */
export function collectTrouble() {
  if (trouble) return;
  const all: string[] = (trouble = []);
  const note = (event: Event) => {
    const { target } = event;
    if (event instanceof ErrorEvent) all.push(event.message);
    // Ignore lazy images, which are missing without a network, because the page is complete without them.
    else if (target instanceof Element && !target.matches('[loading=lazy]'))
      all.push(`cannot load ${target.outerHTML}`);
  };
  addEventListener('error', note, true);
  addEventListener('unhandledrejection', ({ reason }) => void all.push(String(reason)));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    all.push(`${violatedDirective} blocks ${blockedURI}`);
  });
  replace(console, 'error', (error) => (...args: unknown[]) => {
    all.push(args.join(' '));
    error(...args);
  });
}

/** Returns the errors since the last call. */
export const takeTrouble = () => trouble?.splice(0) ?? [];
