import '../../ui/styles/segmented.ts';
import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { Plus, Search } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import type { ApiFault } from '../../api/fault.ts';
import type { Output } from '../../api/operation.ts';
import { listTemplates } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { ago } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { AfterAWhile } from '../../ui/after.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { EnvironmentTags } from '../../ui/tag.tsx';
import css from './list.module.css';

const NewTemplate = lazy(() =>
  import('./new-template.tsx').then(({ NewTemplate: One }) => ({ default: One })),
);

type Summary = Output<typeof listTemplates>['items'][number];

const KINDS = ['all', 'template', 'layout', 'partial'] as const;
const PAGE = 50;

/** The templates of the account, with the version that each environment shows. The search is in the address. */
export function TemplateList() {
  const t = useText();
  const [find, setFind] = useSearchParam('q');
  const [chosen, setKind] = useSearchParam('kind');
  const [cursor, setCursor] = useSearchParam('cursor');
  const [fresh, setFresh] = useSearchParam('new');
  const isNaming = new URLSearchParams(location.search).has('new') || fresh !== '';
  const kind = KINDS.find((one) => one === chosen) ?? 'all';
  const filter = {
    limit: PAGE,
    ...(find !== '' && { q: find }),
    ...(kind !== 'all' && { kind }),
    ...(cursor !== '' && { cursor }),
  };
  const { data, error, refetch, isPending } = useRead(listTemplates, filter, { keepsLast: true });
  const isFiltered = find !== '' || kind !== 'all' || cursor !== '';
  const begin = () => setFresh('1');
  return (
    <Page
      name={t('nav.templates')}
      section="templates"
      actions={
        <Button variant="filled" leftSection={<Plus className="icon" />} onClick={begin}>
          {t('templates.new')}
        </Button>
      }
    >
      {isNaming && (
        <Suspense>
          <NewTemplate close={() => setFresh('')} />
        </Suspense>
      )}
      <Failure error={error} retry={() => void refetch()} isStale={data !== undefined} />
      {data?.items.length === 0 && !isFiltered ? (
        <Empty
          title={t('templates.empty')}
          actions={
            <Button variant="filled" onClick={begin}>
              {t('templates.new')}
            </Button>
          }
        >
          {t('templates.emptyNext')}
        </Empty>
      ) : (
        <>
          <div className={`row wrap gap3 ${css.tools}`}>
            <TextInput
              size="xs"
              w={280}
              leftSection={<Search className="icon s" />}
              aria-label={t('templates.search')}
              placeholder={t('templates.searchHint')}
              value={find}
              onChange={(event) => setFind(event.currentTarget.value)}
            />
            <SegmentedControl
              aria-label={t('templates.kind')}
              value={kind}
              onChange={(value) => setKind(value === 'all' ? '' : value)}
              data={KINDS.map((value) => ({ value, label: t(`templates.kind.${value}`) }))}
            />
            <span className="cap push" role="status">
              {data && t('templates.count', { count: data.items.length })}
            </span>
          </div>
          <Rows items={data?.items} isPending={isPending} />
          {data?.items.length === 0 && (
            <p className="mid row">
              {t('templates.noHit')}
              <Link href="/templates">{t('action.clear')}</Link>
            </p>
          )}
          {data?.next_cursor && (
            <Button className={css.more} onClick={() => setCursor(data.next_cursor ?? '')}>
              {t('templates.next')}
            </Button>
          )}
        </>
      )}
    </Page>
  );
}

type FailureProps = {
  readonly error: ApiFault | null;
  readonly retry: () => void;
  readonly isStale: boolean;
};

function Failure({ error, retry, isStale }: FailureProps) {
  const t = useText();
  if (!error) return null;
  return (
    <div className={`col ${css.tools}`}>
      <FaultBanner fault={error} retry={retry} />
      {isStale && <p className="small dim">{t('templates.stale')}</p>}
    </div>
  );
}

function Rows({
  items,
  isPending,
}: {
  readonly items: readonly Summary[] | undefined;
  readonly isPending: boolean;
}) {
  const t = useText();
  return (
    <table className={`ledger ${css.templates}`}>
      <thead>
        <tr>
          <th className="m">{t('templates.head')}</th>
          <th>{t('templates.template')}</th>
          <th>{t('templates.live')}</th>
          <th className="n opt">{t('templates.changed')}</th>
        </tr>
      </thead>
      <tbody>
        {isPending && (
          <AfterAWhile>
            {['a', 'b', 'c', 'd'].map((row) => (
              <Bones key={row} />
            ))}
          </AfterAWhile>
        )}
        {items?.map((item) => (
          <Row key={item.id} {...item} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ name, version, description, environments, updated_at }: Summary) {
  const t = useText();
  const versions = [...new Set(Object.values(environments))];
  return (
    <tr>
      <td className="m">{version}</td>
      <td>
        <div className="col gap1">
          <Link href={`/templates/${encodeURIComponent(name)}`} className="strong">
            {name}
          </Link>
          <span className="small dim clip">{description}</span>
        </div>
      </td>
      <td>
        <div className={css.where}>
          {versions.length === 0 && <span className="small dim">{t('templates.nowhere')}</span>}
          {versions.map((label) => (
            <span className="row" key={label}>
              {(versions.length > 1 || label !== version) && <span className="mono small dim">{label}</span>}
              <EnvironmentTags
                names={Object.entries(environments).flatMap(([at, one]) => (one === label ? [at] : []))}
              />
            </span>
          ))}
        </div>
      </td>
      <td className="n opt">{ago(updated_at)}</td>
    </tr>
  );
}

function Bones() {
  return (
    <tr>
      <td className="m">
        <i className={`bone ${css.short}`} />
      </td>
      <td>
        <i className={`bone ${css.long}`} />
      </td>
      <td>
        <i className={`bone ${css.middle}`} />
      </td>
      <td className="n opt">
        <i className={`bone ${css.short}`} />
      </td>
    </tr>
  );
}
