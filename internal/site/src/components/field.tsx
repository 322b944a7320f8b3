import { h, type Described } from '../lib/dom';
import { t } from '../lib/i18n';
import { characters } from '../lib/text';

/** A label with its control, a hint, the error and, near the limit, the number of characters. */
export function field({
  id,
  label,
  value,
  control,
  hint,
  limit = 0,
  optional,
  readonly = false,
  error,
}: {
  id: string;
  label: string;
  value: string;
  /** makes the control with these attributes */
  control: (given: {
    id: string;
    name: string;
    value: string;
    readonly: boolean;
    'aria-describedby': string;
    'aria-invalid': 'true' | false;
    dir: 'auto' | false;
  }) => Described;
  hint?: string;
  limit?: number;
  optional?: boolean;
  readonly?: boolean;
  error?: string | undefined;
}) {
  const used = limit && characters(value);
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="optional">{`\u00A0${t('form.optional')}`}</span>}
      </label>
      <div class="control">
        {control({
          id,
          name: id,
          value,
          readonly,
          'aria-describedby': [hint && `${id}-hint`, `${id}-error`].filter(Boolean).join(' '),
          'aria-invalid': error ? 'true' : false,
          dir: limit && value ? 'auto' : false, // an empty field has the page's direction
        })}
        {limit > 0 && (
          <span class="count" aria-hidden="true">
            {used > limit * 0.8 ? `${used} / ${limit}` : ''}
          </span>
        )}
        {hint && (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
        <p class="error" id={`${id}-error`} hidden={!error}>
          {error}
        </p>
      </div>
    </div>
  );
}
