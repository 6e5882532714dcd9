import '../../ui/styles/checkbox.ts';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { getSyncUsage } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { everyText } from './every-text.ts';
import css from './mapping.module.css';
import { type Draft, LIMITS } from './mapping-draft.ts';

type SettingsProps = { readonly draft: Draft; readonly change: (part: Partial<Draft>) => void };

const MINUTES = [1, 5, 15, 30, 60, 360, 1_440];
const CONFLICTS = ['add', 'ask', 'store_wins', 'sheet_wins'] as const;
const STALE = ['keep', 'clear', 'mark'] as const;
const BLANKS = ['nothing', 'clear'] as const;
const KEYS = ['sku', 'barcode', 'handle', 'variant_id'] as const;

/** When it runs, what it does where both sides changed, and how much it may change before it asks. */
export function MappingSettings({ draft, change }: SettingsProps) {
  const t = useText();
  const { data: usage } = useRead(getSyncUsage, {});
  const shortest = usage?.auto_sync_minutes ?? null;
  const now = Number(draft.every);
  const choices = MINUTES.filter((minutes) => shortest !== null && minutes >= shortest);
  const offered = draft.every === '' || choices.includes(now) ? choices : [now, ...choices];
  const set = (name: keyof Draft) => (value: unknown) => change({ [name]: value });
  const check = (
    name: 'realtime' | 'activate' | 'create_products' | 'add_columns' | 'enabled',
    disabled = false,
  ) => (
    <Checkbox
      size="xs"
      label={t(`mapping.${name}`)}
      checked={draft[name]}
      disabled={disabled && !draft[name]}
      onChange={(event) => change({ [name]: event.currentTarget.checked })}
    />
  );
  return (
    <>
      <div className={css.top}>
        <Choice
          label={t('mapping.every')}
          description={usage && shortest === null ? t('mapping.everyPlan') : undefined}
          value={draft.every}
          set={set('every')}
          data={[
            { value: '', label: t('mapping.byHand') },
            ...offered.map((count) => ({ value: String(count), label: everyText(count, t) })),
          ]}
        />
        {draft.direction === 'two_way' && (
          <Choice
            label={t('mapping.conflicts')}
            value={draft.conflicts}
            set={set('conflicts')}
            data={CONFLICTS.map((value) => ({ value, label: t(`mapping.conflicts.${value}`) }))}
          />
        )}
        {draft.direction === 'store_to_sheet' && (
          <Choice
            label={t('mapping.stale')}
            value={draft.stale_rows}
            set={set('stale_rows')}
            data={STALE.map((value) => ({ value, label: t(`mapping.stale.${value}`) }))}
          />
        )}
        {draft.direction !== 'store_to_sheet' && (
          <Choice
            label={t('mapping.blank')}
            value={draft.blank_means}
            set={set('blank_means')}
            data={BLANKS.map((value) => ({ value, label: t(`mapping.blank.${value}`) }))}
          />
        )}
      </div>
      <details className={css.more}>
        <summary>{t('mapping.more')}</summary>
        <div className="col gap4">
          <fieldset className={css.limits}>
            <legend className="strong">{t('mapping.limits')}</legend>
            <p className="small dim">{t('mapping.limitsAbout')}</p>
            <div className={css.four}>
              {LIMITS.map((name) => (
                <TextInput
                  key={name}
                  size="xs"
                  type="number"
                  min={0}
                  max={100}
                  label={t(`mapping.limit.${name}`)}
                  value={draft.limits[name]}
                  onChange={({ currentTarget: { value } }) =>
                    change({ limits: { ...draft.limits, [name]: value } })
                  }
                />
              ))}
            </div>
          </fieldset>
          <div className={css.top}>
            <Choice
              label={t('mapping.key')}
              value={draft.key}
              set={set('key')}
              data={KEYS.map((value) => ({ value, label: value }))}
            />
            <TextInput
              size="xs"
              label={t('mapping.keyColumn')}
              value={draft.key_column}
              onChange={(event) => change({ key_column: event.currentTarget.value })}
            />
            <TextInput
              size="xs"
              label={t('mapping.statusColumn')}
              value={draft.status_column}
              onChange={(event) => change({ status_column: event.currentTarget.value })}
            />
          </div>
          <div className="col">
            {check('realtime', usage !== undefined && shortest === null)}
            {check('add_columns')}
            {check('activate')}
            {draft.direction !== 'store_to_sheet' && check('create_products')}
            {check('enabled')}
          </div>
        </div>
      </details>
    </>
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly description?: string | undefined;
  readonly value: string;
  readonly set: (value: unknown) => void;
  readonly data: readonly { readonly value: string; readonly label: string }[];
};

function Choice({ label, description, value, set, data }: ChoiceProps) {
  return (
    <NativeSelect
      size="xs"
      label={label}
      description={description}
      inputWrapperOrder={['label', 'input', 'description']}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
      data={[...data]}
    />
  );
}
