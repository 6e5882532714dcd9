import { lazy, Suspense, useState } from 'react';
import { useParams } from 'wouter';
import {
  getTemplate,
  listEnvironmentHistory,
  listEnvironments,
  listVersions,
} from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { EnvironmentTag, Tag } from '../../ui/tag.tsx';
import { EnvironmentColumn } from './environment-column.tsx';
import { EnvironmentHistory } from './environment-history.tsx';
import css from './environments.module.css';
import type { Move } from './move-dialog.tsx';

const MoveDialog = lazy(() => import('./move-dialog.tsx').then(({ MoveDialog: One }) => ({ default: One })));

/** Where the versions of a template are: three columns, from the newest version to what customers see. */
export function Environments() {
  const t = useText();
  const { name = '' } = useParams<{ name: string }>();
  const template = decodeURIComponent(name);
  const [move, setMove] = useState<Move>();
  const { data: head, error, refetch } = useRead(getTemplate, { template });
  const { data: rules } = useRead(listEnvironments, {});
  const { data: versions } = useRead(listVersions, { template, limit: 100 });
  const staging = useRead(listEnvironmentHistory, { template, environment: 'staging' as const });
  const production = useRead(listEnvironmentHistory, { template, environment: 'production' as const });
  const aboutVersion = (label: string | undefined) =>
    versions?.items.find(({ version }) => version === label);
  const now = head?.environments ?? {};
  const history = [...(staging.data?.items ?? []), ...(production.data?.items ?? [])];
  const previous = (environment: string) =>
    history.find((event) => event.environment === environment)?.previous;
  const isFrozen = (environment: string) =>
    rules?.items.some((rule) => rule.name === environment && rule.freeze);
  return (
    <Page
      name={t('environments.of', { template })}
      title={t('environments.title')}
      section="templates"
      crumbs={[
        { to: '/templates', label: t('nav.templates') },
        { to: `/templates/${encodeURIComponent(template)}`, label: template },
      ]}
    >
      <FaultBanner fault={error} retry={() => void refetch()} />
      {head && (
        <div className={css.lane}>
          <EnvironmentColumn
            tag={<Tag kind="ghost">{t('environments.head', { branch: 'main' })}</Tag>}
            version={head.version}
            about={aboutVersion(head.version)}
            action={
              now.staging === head.version
                ? undefined
                : {
                    label: t('environments.promoteTo', { environment: 'staging' }),
                    act: () =>
                      setMove({ kind: 'promote', to: 'staging', version: head.version, now: now.staging }),
                  }
            }
            idle={t('environments.sameAs', { environment: 'staging' })}
          />
          <EnvironmentColumn
            tag={<EnvironmentTag name="staging" big />}
            version={now.staging}
            about={aboutVersion(now.staging)}
            before={previous('staging')}
            isFrozen={isFrozen('staging')}
            action={
              now.staging === undefined || now.staging === now.production
                ? undefined
                : {
                    label: t('environments.promoteTo', { environment: 'production' }),
                    isNext: true,
                    act: () =>
                      setMove({
                        kind: 'promote',
                        to: 'production',
                        version: now.staging ?? '',
                        now: now.production,
                      }),
                  }
            }
            idle={
              now.staging === undefined
                ? t('environments.nothingHere')
                : t('environments.sameAs', { environment: 'production' })
            }
          />
          <EnvironmentColumn
            tag={<EnvironmentTag name="production" big />}
            version={now.production}
            about={aboutVersion(now.production)}
            before={previous('production')}
            isFrozen={isFrozen('production')}
            isLive
            action={
              previous('production') === undefined || now.production === undefined
                ? undefined
                : {
                    label: t('environments.rollBackTo', { version: previous('production') ?? '' }),
                    act: () =>
                      setMove({
                        kind: 'rollback',
                        to: 'production',
                        version: previous('production') ?? '',
                        now: now.production,
                      }),
                  }
            }
            idle={t('environments.nothingBefore')}
          />
        </div>
      )}
      <EnvironmentHistory events={history} error={production.error} />
      {move && (
        <Suspense>
          <MoveDialog template={template} move={move} close={() => setMove(undefined)} />
        </Suspense>
      )}
    </Page>
  );
}
