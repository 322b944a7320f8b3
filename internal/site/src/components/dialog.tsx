import { say, h, make, type Child } from '../lib/dom';

/** Resolves to true for yes. `valid` may refuse a yes. With the level secondary, no is the main button. */
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
  const answers = [
    <button value="yes" class={level} onclick={(event) => valid() || event.preventDefault()}>
      {yes}
    </button>,
    no && (
      <button value="no" class={level === 'secondary' ? 'primary' : 'secondary'}>
        {no}
      </button>
    ),
  ];
  const dialog = make(
    <dialog aria-labelledby="question" closedby="any">
      <form method="dialog">
        {/* Focus the heading, so that a long dialog opens at its start. */}
        <h2 id="question" tabindex={-1} autofocus>
          {title}
        </h2>
        {body}
        <div class="row">{level === 'secondary' ? answers.reverse() : answers}</div>
      </form>
    </dialog>,
  ) as HTMLDialogElement;
  document.body.append(dialog);
  say(''); // screen readers repeat old news when a dialog closes
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      resolve(dialog.returnValue === 'yes');
      dialog.remove();
    });
  });
}
