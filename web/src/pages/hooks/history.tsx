import { Button, TextInput } from '@mantine/core';
import { Download, Search } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { download } from '../../api/download.ts';
import { downloadGeneration, exportHistory, getProfile, listHistory } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useReadPages } from '../../api/read-pages.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { Banner } from '../../ui/banner.tsx';
import { Empty } from '../../ui/empty.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import css from './history.module.css';
import { HistoryRows } from './history-rows.tsx';
import { HooksTabs } from './tabs.tsx';
import { type Format, useDownload } from './use-download.ts';

const OneGeneration = lazy(() =>
  import('./one-generation.tsx').then(({ OneGeneration: One }) => ({ default: One })),
);

const PAGE = 200;

/** Every generation of the account, the latest first. The search and the open one are in the address. */
export function History() {
  const t = useText();
  const [find, setFind] = useSearchParam('q');
  const [open, setOpen] = useSearchParam('open');
  const { data: profile } = useRead(getProfile, {});
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useReadPages(listHistory, {
    limit: PAGE,
    ...(find !== '' && { q: find }),
  });
  const { failed, keep } = useDownload();
  const formats = formatsOf(profile?.plan ?? 'free');
  const items = data?.flatMap((page) => page.items);
  const limited = data?.[0]?.limited_to;
  return (
    <Page
      name={t('hooks.history')}
      section="hooks"
      tabs={<HooksTabs />}
      actions={
        items && items.length > 0 ? <DownloadAll formats={formats} find={find} keep={keep} /> : undefined
      }
    >
      <div className={`col ${css.tools}`}>
        <FaultBanner fault={error} retry={() => void refetch()} />
        <FaultBanner fault={failed} />
      </div>
      {items?.length === 0 && find === '' ? (
        <NothingYet />
      ) : (
        <>
          <div className={`row wrap gap3 ${css.tools}`}>
            <TextInput
              size="xs"
              w={320}
              maw="100%"
              leftSection={<Search className="icon s" />}
              aria-label={t('history.search')}
              placeholder={t('history.search')}
              value={find}
              onChange={({ currentTarget }) => setFind(currentTarget.value)}
            />
            <Count count={items?.length} hasMore={hasNextPage} />
          </div>
          {items?.length === 0 && <NoHit find={find} clear={() => setFind('')} />}
          {items && items.length > 0 && (
            <HistoryRows
              items={items}
              formats={formats}
              open={setOpen}
              keep={(item, format) =>
                keep(() => download(downloadGeneration, { generation_id: item.id, format }))
              }
              more={hasNextPage && !isFetching ? () => void fetchNextPage() : undefined}
            />
          )}
          {limited !== undefined && items?.length === limited && <Limited count={limited} />}
        </>
      )}
      {open !== '' && (
        <Suspense>
          <OneGeneration id={open} formats={formats} close={() => setOpen('')} />
        </Suspense>
      )}
    </Page>
  );
}

type DownloadAllProps = {
  readonly formats: readonly Format[];
  readonly find: string;
  readonly keep: (work: () => Promise<void>) => void;
};

/** Everything that was found as one file. The plan without it has no buttons for it. */
function DownloadAll({ formats, find, keep }: DownloadAllProps) {
  const t = useText();
  if (formats.length === 1) return null;
  return formats.map((format) => (
    <Button
      key={format}
      leftSection={<Download className="icon" />}
      onClick={() => keep(() => download(exportHistory, { format, ...(find !== '' && { q: find }) }))}
    >
      {t(find === '' ? 'history.all' : 'history.found', { format: format.toUpperCase() })}
    </Button>
  ));
}

function Limited({ count }: { readonly count: number }) {
  const t = useText();
  return (
    <Banner
      title={t('history.limited', { count })}
      action={
        <Button component={Link} href="/billing" size="xs">
          {t('quota.plans')}
        </Button>
      }
    >
      {t('history.limitedAbout')}
    </Banner>
  );
}

function Count({ count, hasMore }: { readonly count: number | undefined; readonly hasMore: boolean }) {
  const t = useText();
  return (
    <span className="cap push" role="status">
      {count !== undefined && t(hasMore ? 'history.countMore' : 'history.count', { count })}
    </span>
  );
}

function NothingYet() {
  const t = useText();
  return (
    <Empty
      title={t('history.empty')}
      actions={
        <Button component={Link} href="/generator" variant="filled">
          {t('history.first')}
        </Button>
      }
    >
      {t('history.emptyAbout')}
    </Empty>
  );
}

function NoHit({ find, clear }: { readonly find: string; readonly clear: () => void }) {
  const t = useText();
  return (
    <p className="mid row">
      {t('history.noHit', { q: find })}
      <Button size="xs" variant="subtle" onClick={clear}>
        {t('action.clear')}
      </Button>
    </p>
  );
}

const formatsOf = (plan: string): readonly Format[] => (plan === 'free' ? ['txt'] : ['txt', 'csv', 'json']);
