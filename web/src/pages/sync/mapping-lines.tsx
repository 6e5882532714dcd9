import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useId, useRef } from 'react';
import type { Output } from '../../api/operation.ts';
import { type listSheetColumns, listSyncFields } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import css from './mapping.module.css';
import type { Line, Refusal } from './mapping-check.ts';

type SheetColumns = Output<typeof listSheetColumns>;

type MappingLinesProps = {
  readonly lines: readonly Line[];
  readonly refused: ReadonlyMap<number, Refusal>;
  /** What the server said of a line, by its place. */
  readonly faults: ReadonlyMap<number, string>;
  readonly columns: SheetColumns | undefined;
  readonly change: (lines: readonly Line[]) => void;
};

/** The fields that the interface documents; the others come after them. */
const DOCUMENTED = [
  'sku',
  'title',
  'price',
  'inventory_quantity',
  'barcode',
  'weight',
  'grams',
  'requires_shipping',
  'taxable',
];
const LAYOUT = ['SKU', 'Product', 'Stock'];
const SHOWN_ROWS = 2;

/** Which column holds which field, with what the first rows of the sheet say. */
export function MappingLines({ lines, refused, faults, columns, change }: MappingLinesProps) {
  const t = useText();
  const headers = useId();
  const adding = useRef<HTMLButtonElement>(null);
  const known = columns?.columns ?? [];
  const suggested = [...new Set([...known.map(({ header }) => header), ...LAYOUT])];
  const firstRow = (columns?.header_row ?? 0) + 1;
  const set = (id: number, part: Partial<Line>) =>
    change(lines.map((line) => (line.id === id ? { ...line, ...part } : line)));
  const add = () => {
    const used = new Set(lines.map(({ column }) => column));
    const column = known.find(({ header }) => !used.has(header))?.header ?? '';
    const taken = new Set(lines.map(({ field }) => field));
    const field = DOCUMENTED.find((one) => !taken.has(one)) ?? '';
    change([...lines, { id: Math.max(0, ...lines.map(({ id }) => id)) + 1, column, field }]);
  };
  return (
    <div className="col">
      <datalist id={headers}>
        {suggested.map((header) => (
          <option key={header} value={header} />
        ))}
      </datalist>
      <table className={`ledger ${css.lines}`}>
        <thead>
          <tr>
            <th className="m">{t('mapping.col')}</th>
            <th>{t('mapping.column')}</th>
            <th>{t('mapping.field')}</th>
            {Array.from({ length: SHOWN_ROWS }, (_, at) => firstRow + at).map((row) => (
              <th key={row} className="opt">
                {t('mapping.rowSays', { row })}
              </th>
            ))}
            <th>
              <span className="sr">{t('mapping.remove')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, at) => {
            const refusal = refused.get(line.id);
            const why = refusal ? t(refusal.key, refusal.values) : faults.get(at);
            const column = known.find(({ header }) => header === line.column);
            return (
              <tr key={line.id} data-bad={why === undefined ? undefined : true}>
                <td className="m">{column?.letters ?? '·'}</td>
                <td>
                  <TextInput
                    size="xs"
                    aria-label={t('mapping.columnOf', { line: at + 1 })}
                    list={headers}
                    value={line.column}
                    onChange={(event) => set(line.id, { column: event.currentTarget.value })}
                  />
                </td>
                <td>
                  <FieldChoice
                    label={t('mapping.fieldOf', { line: at + 1 })}
                    field={line.field}
                    isBad={why !== undefined}
                    set={(field) => set(line.id, { field })}
                  />
                </td>
                {why === undefined ? (
                  Array.from({ length: SHOWN_ROWS }, (_, nth) => nth).map((nth) => (
                    <td key={nth} className={`opt mono small ${css.sample}`}>
                      {column ? column.values[nth] : nth === 0 && columns && t('mapping.noSuchColumn')}
                    </td>
                  ))
                ) : (
                  <td colSpan={SHOWN_ROWS} className={css.why}>
                    <span className="state err">{why}</span>
                  </td>
                )}
                <td className="n">
                  <ActionIcon
                    aria-label={t('mapping.removeLine', { line: at + 1 })}
                    onClick={() => {
                      // Its own button goes with the line.
                      adding.current?.focus();
                      change(lines.filter(({ id }) => id !== line.id));
                    }}
                  >
                    <Trash2 className="icon" />
                  </ActionIcon>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <Button
        ref={adding}
        size="xs"
        variant="subtle"
        className={css.add}
        leftSection={<Plus className="icon" />}
        onClick={add}
      >
        {t('mapping.add')}
      </Button>
    </div>
  );
}

type FieldChoiceProps = {
  readonly label: string;
  readonly field: string;
  readonly isBad: boolean;
  readonly set: (field: string) => void;
};

/** A field of the store. A metafield and the stock of another location have a name that a person completes. */
function FieldChoice({ label, field, isBad, set }: FieldChoiceProps) {
  const t = useText();
  const { data } = useRead(listSyncFields, {});
  const prefix = /^(metafield|variant_metafield|inventory_quantity):/.exec(field)?.[0];
  if (prefix !== undefined)
    return (
      <TextInput
        size="xs"
        aria-label={label}
        error={isBad}
        spellCheck={false}
        value={field}
        placeholder={prefix}
        onChange={({ currentTarget: { value } }) => set(value)}
      />
    );
  const all = (data?.items ?? []).map((item) => item.field);
  const further = all.filter((one) => !DOCUMENTED.includes(one) && !one.includes(':'));
  const option = (value: string) => ({ value, label: value });
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      error={isBad}
      value={field}
      onChange={(event) => set(event.currentTarget.value)}
      data={[
        ...(field === '' ? [{ value: '', label: t('mapping.choose') }] : []),
        { group: t('mapping.fields'), items: DOCUMENTED.map(option) },
        {
          group: t('mapping.moreFields'),
          items: [
            ...further.map(option),
            { value: 'metafield:', label: t('mapping.metafield') },
            { value: 'variant_metafield:', label: t('mapping.variantMetafield') },
            { value: 'inventory_quantity:', label: t('mapping.otherLocation') },
          ],
        },
      ]}
    />
  );
}
