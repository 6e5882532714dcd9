import '../../ui/styles/segmented.ts';
import '../../ui/styles/select.ts';
import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { LayoutGrid, List, type LucideIcon, Search, X } from 'lucide-react';
import type { Output } from '../../api/operation.ts';
import type { listAssets } from '../../api/operations.gen.ts';
import { sizeOf } from '../../i18n/sizes.ts';
import { type TextKey, useText } from '../../i18n/text.ts';
import css from './assets.module.css';
import { type AssetFilter, SHOWN, TYPES } from './use-asset-filter.ts';

type AssetToolsProps = {
  readonly filter: AssetFilter;
  readonly view: string;
  readonly setView: (view: string) => void;
  readonly usage: Pick<Output<typeof listAssets>, 'used_bytes' | 'limit_bytes'> | undefined;
};

/** What to look for, how to see it, and how much of the plan is used. */
export function AssetTools({ filter, view, setView, usage }: AssetToolsProps) {
  const t = useText();
  return (
    <div className={`row wrap gap3 ${css.tools}`}>
      <TextInput
        size="xs"
        w={240}
        leftSection={<Search className="icon s" />}
        aria-label={t('assets.search')}
        placeholder={t('assets.searchHint')}
        value={filter.q}
        onChange={(event) => filter.set('q', event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label={t('assets.type')}
        value={filter.kind ?? ''}
        onChange={(event) => filter.set('type', event.currentTarget.value)}
        data={[
          { value: '', label: t('assets.type.all') },
          ...TYPES.map((value) => ({ value, label: t(`assets.type.${value}` satisfies TextKey) })),
        ]}
      />
      <SegmentedControl
        aria-label={t('assets.show')}
        value={filter.shown}
        onChange={(value) => filter.set('show', value === 'all' ? '' : value)}
        data={SHOWN.map((value) => ({ value, label: t(`assets.show.${value}`) }))}
      />
      <SegmentedControl
        aria-label={t('assets.view')}
        value={view === 'list' ? 'list' : 'grid'}
        onChange={(value) => setView(value === 'list' ? 'list' : '')}
        data={[
          { value: 'grid', label: <ViewIcon icon={LayoutGrid} name={t('assets.view.grid')} /> },
          { value: 'list', label: <ViewIcon icon={List} name={t('assets.view.list')} /> },
        ]}
      />
      <Chosen label={t('assets.folder')} value={filter.folder} clear={() => filter.set('folder', '')} />
      <Chosen label={t('assets.tag')} value={filter.tag} clear={() => filter.set('tag', '')} />
      {usage && (
        <span className="cap push num" role="status">
          {t('assets.used', { used: sizeOf(usage.used_bytes), limit: sizeOf(usage.limit_bytes) })}
        </span>
      )}
    </div>
  );
}

function ViewIcon({ icon: Icon, name }: { readonly icon: LucideIcon; readonly name: string }) {
  return (
    <span className="row" title={name}>
      <Icon className="icon s" aria-hidden="true" />
      <span className="sr">{name}</span>
    </span>
  );
}

type ChosenProps = { readonly label: string; readonly value: string; readonly clear: () => void };

/** A filter that was chosen elsewhere on the page, and its way back. */
function Chosen({ label, value, clear }: ChosenProps) {
  const t = useText();
  if (value === '') return null;
  return (
    <Button
      size="xs"
      rightSection={<X className="icon s" />}
      aria-label={t('assets.clearFilter', { filter: label, value })}
      onClick={clear}
    >
      {label}: {value}
    </Button>
  );
}
