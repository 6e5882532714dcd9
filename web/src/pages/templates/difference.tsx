import '../../ui/styles/select.ts';
import '../../ui/styles/segmented.ts';
import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { ArrowRight } from 'lucide-react';
import { lazy, Suspense, useMemo } from 'react';
import { useParams } from 'wouter';
import { diffVersions, getVersion, listBranches, listVersions } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { Banner } from '../../ui/banner.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import css from './difference.module.css';
import { RollBack } from './roll-back.tsx';
import { SOURCE_FIELDS } from './use-document.ts';

const CodeMerge = lazy(() =>
  import('../../ui/code/code-merge.tsx').then(({ CodeMerge: One }) => ({ default: One })),
);

const VisualDifference = lazy(() =>
  import('./visual-difference.tsx').then(({ VisualDifference: One }) => ({ default: One })),
);

const VIEWS = ['source', 'both', 'slider', 'pixels'] as const;

/** What changed between two versions, branches or environments. Both are in the address. */
export function Difference() {
  const t = useText();
  const { name = '' } = useParams<{ name: string }>();
  const template = decodeURIComponent(name);
  const [from, setFrom] = useSearchParam('from');
  const [to, setTo] = useSearchParam('to');
  const [chosenView, setView] = useSearchParam('view');
  const view = VIEWS.find((one) => one === chosenView) ?? 'source';
  const pair = { from: from || 'production', to: to || 'main' };
  const { data, error, refetch } = useRead(
    diffVersions,
    { template, ...pair, format: 'schema' },
    { keepsLast: true },
  );
  const { data: branches } = useRead(listBranches, { template });
  const isBranch = branches?.items.some((branch) => branch.name === pair.to);
  return (
    <Page
      name={t('difference.of', { template })}
      title={t('difference.title')}
      section="templates"
      actions={
        isBranch &&
        data &&
        data.fields.length > 0 && (
          <RollBack template={template} branch={pair.to} version={data.from} head={data.to} />
        )
      }
      crumbs={[
        { to: '/templates', label: t('nav.templates') },
        { to: `/templates/${encodeURIComponent(template)}`, label: template },
      ]}
    >
      <div className={`row wrap gap3 ${css.tools}`}>
        <Side label={t('difference.from')} template={template} value={pair.from} onChange={setFrom} />
        <ArrowRight className="icon dim" aria-hidden="true" />
        <Side label={t('difference.to')} template={template} value={pair.to} onChange={setTo} />
        <span className="cap push" role="status">
          {data && t('move.lines', { added: data.stats.added, removed: data.stats.removed })}
        </span>
      </div>
      <FaultBanner fault={error} retry={() => void refetch()} />
      {data?.breaking && (
        <div className={css.tools}>
          <Banner tone="warn" title={t('move.breaking')}>
            {(data.schema_changes ?? [])
              .filter(({ breaking }) => breaking)
              .map(({ variable }) => variable)
              .join(', ')}
          </Banner>
        </div>
      )}
      {data && data.fields.length === 0 && <p className="mid">{t('difference.none')}</p>}
      {data && data.fields.length > 0 && (
        <>
          <div className={css.tools}>
            <SegmentedControl
              aria-label={t('difference.view')}
              value={view}
              onChange={(value) => setView(value === 'source' ? '' : value)}
              data={VIEWS.map((value) => ({ value, label: t(`difference.${value}`) }))}
            />
          </div>
          {view === 'source' ? (
            <Texts template={template} from={data.from} to={data.to} fields={data.fields} />
          ) : (
            <Suspense fallback={null}>
              <VisualDifference template={template} from={data.from} to={data.to} view={view} />
            </Suspense>
          )}
        </>
      )}
    </Page>
  );
}

type SideProps = {
  readonly label: string;
  readonly template: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

function Side({ label, template, value, onChange }: SideProps) {
  const { data: versions } = useRead(listVersions, { template, limit: 100 });
  const { data: branches } = useRead(listBranches, { template });
  const choices = [
    ...['production', 'staging'],
    ...(branches?.items ?? []).map(({ name }) => name),
    ...(versions?.items ?? []).map(({ version }) => version),
  ];
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[...new Set([value, ...choices])]}
    />
  );
}

type TextsProps = {
  readonly template: string;
  readonly from: string;
  readonly to: string;
  readonly fields: readonly string[];
};

function Texts({ template, from, to, fields }: TextsProps) {
  const t = useText();
  const isNarrow = useMediaQuery('(max-width: 1180px)', false, { getInitialValueInEffect: false });
  const [chosen, setField] = useSearchParam('field');
  const texts = SOURCE_FIELDS.filter((field) => fields.includes(field));
  const field = texts.find((one) => one === chosen) ?? texts[0];
  const before = useRead(getVersion, { template, version: from });
  const after = useRead(getVersion, { template, version: to });
  const labels = useMemo(() => ({ before: from, after: to }), [from, to]);
  if (field === undefined)
    return <p className="mid">{t('difference.elsewhere', { fields: fields.join(', ') })}</p>;
  return (
    <>
      <SegmentedControl
        aria-label={t('difference.field')}
        value={field}
        onChange={setField}
        data={texts.map((value) => ({ value, label: t(`field.${value}`) }))}
      />
      <FaultBanner fault={before.error ?? after.error} />
      <div className={css.texts}>
        {before.data && after.data && (
          <Suspense fallback={null}>
            <CodeMerge
              before={before.data[field] ?? ''}
              after={after.data[field] ?? ''}
              language={field === 'html' || field === 'css' ? field : 'text'}
              labels={labels}
              isNarrow={isNarrow ?? false}
            />
          </Suspense>
        )}
      </div>
    </>
  );
}
