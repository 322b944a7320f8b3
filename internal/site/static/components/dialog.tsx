import { h, make, type Child } from '../lib/dom';

/**
 * Asks a question. Resolves to true if the answer is yes, which valid may forbid. With the level secondary of its
 * button, no is the default.
 */
export function confirm({
  title,
  body,
  yes,
  no,
  level = 'primary danger',
  valid = () => true,
}: {
  title: string;
  body: Child[];
  yes: string;
  no?: string;
  level?: string;
  valid?: () => boolean;
}): Promise<boolean> {
  const refuse = (its: string) => (
    <button value="no" class={its}>
      {no}
    </button>
  );
  return new Promise((resolve) => {
    const dialog = make(
      <dialog aria-labelledby="question" closedby="any">
        <form method="dialog">
          {/* The focus is on the heading, so that a long dialog opens at its start. */}
          <h2 id="question" tabindex={-1} autofocus>
            {title}
          </h2>
          {body}
          <div class="row">
            {level === 'secondary' && refuse('primary')}
            <button value="yes" class={level} onclick={(event: Event) => valid() || event.preventDefault()}>
              {yes}
            </button>
            {level !== 'secondary' && no && refuse('secondary')}
          </div>
        </form>
      </dialog>,
    ) as HTMLDialogElement;
    dialog.addEventListener('close', () => {
      resolve(dialog.returnValue === 'yes');
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
