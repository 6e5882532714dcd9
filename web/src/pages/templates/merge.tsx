import '../../ui/styles/select.ts';
import { Button, NativeSelect } from '@mantine/core';
import { GitMerge } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import {
  getTemplate,
  listBranches,
  listTemplates,
  listVersions,
  mergeBranch,
} from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { text, useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { AfterAWhile } from '../../ui/after.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import css from './merge.module.css';
import { allFrom, type Choice, type Choices, type Conflict, keyOf, resolutionsOf } from './merge-choices.ts';
import { MergeConflict } from './merge-conflict.tsx';
import { MergeResult } from './merge-result.tsx';
import { MergeSummary } from './merge-summary.tsx';
import { useMerge } from './use-merge.ts';

const INTO = 'main';

/** Brings the changes of a branch into main. The branch is in the address; without one, it is the first there is. */
export function Merge() {
  const t = useText();
  const { name = '' } = useParams<{ name: string }>();
  const template = decodeURIComponent(name);
  const [asked, setBranch] = useSearchParam('branch');
  const { data, error, refetch } = useRead(listBranches, { template });
  const branches = (data?.items ?? []).flatMap((one) => (one.name === INTO ? [] : [one.name]));
  const branch = asked || branches[0];
  if (branch !== undefined && data)
    return (
      <MergeOf key={branch} template={template} branch={branch} branches={branches} setBranch={setBranch} />
    );
  return (
    <Page name={t('merge.title')} section="templates" crumbs={crumbsOf(template)}>
      <FaultBanner fault={error} retry={() => void refetch()} />
      {data && (
        <p className="mid prose">
          {t('merge.onlyMain')}{' '}
          <Link href={`/templates/${encodeURIComponent(template)}`}>{t('merge.openEditor')}</Link>
        </p>
      )}
    </Page>
  );
}

type MergeOfProps = {
  readonly template: string;
  readonly branch: string;
  readonly branches: readonly string[];
  readonly setBranch: (branch: string) => void;
};

function MergeOf({ template, branch, branches, setBranch }: MergeOfProps) {
  const t = useText();
  const [, go] = useLocation();
  const [choices, setChoices] = useState<Choices>({});
  // The same with each drawing, so that a choice redraws one conflict alone.
  const choose = useCallback(
    (conflict: Conflict, choice: Choice) => setChoices((all) => ({ ...all, [keyOf(conflict)]: choice })),
    [],
  );
  const [deletesBranch, setDeletesBranch] = useState(false);
  const { plan, document, unfit, isChecked } = useMerge(template, branch, choices);
  const path = `/templates/${encodeURIComponent(template)}`;
  const conflicts = plan.data?.conflicts ?? [];
  const resolutions = resolutionsOf(conflicts, choices);
  const isNothing = plan.data?.bump === 'none' && document === undefined;
  const { write, isBusy, fault, reset } = useWrite(mergeBranch, {
    changes: [getTemplate, listTemplates, listVersions, listBranches],
    said: ({ version = '' }) => t('merge.done', { branch, into: INTO, version }),
    onDone: () => go(path),
  });
  const isReady =
    plan.data !== undefined && !isNothing && isChecked && resolutions.length === conflicts.length;
  const merge = () =>
    write({
      template,
      branch,
      into: INTO,
      resolutions,
      merge_token: plan.data?.merge_token,
      delete_branch: deletesBranch,
    });
  // One of the branches has a newer version than the one that was read.
  const hasMoved = fault?.code === 'conflict' || unfit?.code === 'conflict';
  const readAgain = () => {
    reset();
    void plan.refetch();
  };
  return (
    <Page
      flush
      section="templates"
      name={t('merge.of', { branch, into: INTO })}
      crumbs={crumbsOf(template)}
      actions={
        <>
          {branches.length > 1 && (
            <NativeSelect
              aria-label={t('merge.branch')}
              value={branch}
              onChange={({ currentTarget }) => setBranch(currentTarget.value)}
              data={[...new Set([branch, ...branches])]}
            />
          )}
          <Button
            variant="filled"
            leftSection={<GitMerge className="icon" aria-hidden="true" />}
            disabled={!isReady}
            loading={isBusy}
            onClick={merge}
          >
            {t('merge.act', { into: INTO })}
          </Button>
        </>
      }
    >
      <div className={css.panes}>
        <section className={css.list} aria-label={t('merge.conflicts')}>
          <div className={css.say}>
            <FaultBanner
              fault={fault ?? plan.error ?? unfit}
              retry={plan.error || hasMoved ? readAgain : undefined}
            />
            {plan.data && (
              <MergeSummary
                template={template}
                branch={branch}
                into={INTO}
                conflicts={conflicts.length}
                isNothing={isNothing}
              />
            )}
            {conflicts.length > 1 && (
              <div className="row wrap">
                {(['ours', 'theirs'] as const).map((side) => (
                  <Button key={side} size="xs" onClick={() => setChoices(allFrom(conflicts, side))}>
                    {t('merge.allFrom', { branch: side === 'ours' ? INTO : branch })}
                  </Button>
                ))}
              </div>
            )}
            {plan.isPending && (
              <AfterAWhile>
                <p role="status" className="mid">
                  {t('merge.reading')}
                </p>
              </AfterAWhile>
            )}
          </div>
          <ol>
            {conflicts.map((conflict) => (
              <MergeConflict
                key={conflict.id}
                conflict={conflict}
                branch={branch}
                into={INTO}
                choice={choices[keyOf(conflict)]}
                choose={choose}
              />
            ))}
          </ol>
          {plan.data && !isNothing && (
            <div className={css.say}>
              <label className={css.option}>
                <input
                  type="checkbox"
                  checked={deletesBranch}
                  onChange={({ currentTarget }) => setDeletesBranch(currentTarget.checked)}
                />
                {t('merge.deleteBranch', { branch })}
              </label>
            </div>
          )}
        </section>
        <section className={css.look} aria-label={t('merge.result')}>
          <div className={css.bar}>
            <h2 className="h3">{t('merge.result')}</h2>
            {conflicts.length > 0 && (
              <span className="cap push num" role="status">
                {t('merge.settled', { done: resolutions.length, count: conflicts.length })}
              </span>
            )}
          </div>
          {document && <MergeResult template={template} document={document} />}
        </section>
      </div>
    </Page>
  );
}

function crumbsOf(template: string) {
  return [
    { to: '/templates', label: text('nav.templates') },
    { to: `/templates/${encodeURIComponent(template)}`, label: template },
  ];
}
