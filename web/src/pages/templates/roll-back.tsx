import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useLocation } from 'wouter';
import { call } from '../../api/call.ts';
import {
  diffVersions,
  getTemplate,
  listBranches,
  listTemplates,
  listVersions,
  rollbackTemplate,
} from '../../api/operations.gen.ts';
import { useWrite } from '../../api/write.ts';
import { text, useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { toast } from '../../ui/toast.ts';

const CHANGES = [getTemplate, listTemplates, listVersions, listBranches, diffVersions];

type RollBackProps = {
  readonly template: string;
  readonly branch: string;
  /** The version whose content the branch gets again. */
  readonly version: string;
  /** The newest of the branch. */
  readonly head: string;
};

/** Without a question, since it makes one more version and can be undone. What customers see stays as it is. */
export function RollBack({ template, branch, version, head }: RollBackProps) {
  const t = useText();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const undo = async () => {
    const { version: made } = await call(rollbackTemplate, { template, branch, to: head, message: '' });
    await Promise.all(CHANGES.map((read) => queries.invalidateQueries({ queryKey: [read] })));
    toast(text('versions.rolledBack', { version: head, made }));
  };
  const { write, isBusy, fault } = useWrite(rollbackTemplate, {
    changes: CHANGES,
    onDone: ({ version: made }) => {
      const search = branch === 'main' ? '' : `?branch=${encodeURIComponent(branch)}`;
      go(`/templates/${encodeURIComponent(template)}${search}`);
      toast(t('versions.rolledBack', { version, made }), {
        label: t('action.undo'),
        run: () => void undo().catch((error: Error) => toast(error.message)),
      });
    },
  });
  return (
    <>
      <Button
        leftSection={<RotateCcw className="icon" />}
        loading={isBusy}
        onClick={() => write({ template, branch, to: version, message: '' })}
      >
        {t('environments.rollBackTo', { version })}
      </Button>
      <FaultBanner fault={fault} />
    </>
  );
}
