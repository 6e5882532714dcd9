import type { Output } from '../../api/operation.ts';
import type { getTemplate } from '../../api/operations.gen.ts';
import { useText } from '../../i18n/text.ts';
import { State } from '../../ui/state.tsx';
import css from './editor.module.css';
import { timesUsed, typedValue, type Values, valueAt, valueText, withValueAt } from './sample-values.ts';

type Variable = Pick<Output<typeof getTemplate>['variables'][number], 'name' | 'type' | 'required'>;

type VariablesTableProps = {
  readonly variables: readonly Variable[];
  /** Those that the last render had no value for; they may be newer than the saved version. */
  readonly missing: readonly string[];
  readonly source: string;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
};

/** Every variable with the value it is shown with; those without one first. Typing a value renders again. */
export function VariablesTable({ variables, missing, source, values, onChange }: VariablesTableProps) {
  const t = useText();
  const known = new Set(variables.map(({ name }) => name));
  const fresh = missing
    .filter((name) => !known.has(name))
    .map((name) => ({ name, type: '', required: true }));
  const isMissing = ({ name }: Variable) => missing.includes(name);
  const rows = [...fresh, ...variables].sort(
    (one, other) => Number(isMissing(other)) - Number(isMissing(one)),
  );
  if (rows.length === 0) return <p className={`mid ${css.none}`}>{t('variables.none')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached without a mouse
    <section className="scroll-x" tabIndex={0} aria-label={t('variables.title')}>
      <table className={`ledger data ${css.variables}`}>
        <tbody>
          {rows.map((variable) => (
            <tr key={variable.name} data-bad={isMissing(variable) || undefined}>
              <td className="m">{timesUsed(source, variable.name)}×</td>
              <td className="mono">
                {variable.name} <span className="dim">{variable.type}</span>
              </td>
              <td>
                <ValueField variable={variable} values={values} onChange={onChange} />
              </td>
              <td className="n">
                {isMissing(variable) ? (
                  <State kind="warn">{t('variables.noValue')}</State>
                ) : (
                  <span className="small dim">
                    {t(variable.required ? 'variables.required' : 'variables.optional')}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type ValueFieldProps = {
  readonly variable: Variable;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
};

function ValueField({ variable: { name, type }, values, onChange }: ValueFieldProps) {
  const t = useText();
  const value = valueAt(values, name);
  const shown = valueText(value);
  if (shown === undefined) {
    const count = Array.isArray(value) ? value.length : Object.keys(value as object).length;
    return <span className="dim">{t('variables.entries', { count })}</span>;
  }
  return (
    <input
      className={css.fill}
      aria-label={t('variables.valueOf', { name })}
      value={shown}
      placeholder={t('variables.empty')}
      onChange={(event) => onChange(withValueAt(values, name, typedValue(event.currentTarget.value, type)))}
    />
  );
}
