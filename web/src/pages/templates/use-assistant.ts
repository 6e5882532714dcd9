import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call, isAbort } from '../../api/call.ts';
import { ApiFault } from '../../api/fault.ts';
import type { Output } from '../../api/operation.ts';
import {
  createBranch,
  deleteBranch,
  editTemplate,
  type getTemplate,
  getVersion,
  listBranches,
  updateTemplate,
} from '../../api/operations.gen.ts';
import { stream } from '../../api/stream.ts';
import { type EditedDocument, SOURCE_FIELDS, type SourceField } from './use-document.ts';

type Fields = Readonly<Partial<Record<SourceField, string>>>;

/** What the assistant wrote. It is on a branch of its own until a person decides. */
export type Proposal = {
  readonly branch: string;
  readonly fields: Fields;
  /** What else it changed, which the editor has no field for, such as the schema. */
  readonly others: readonly string[];
  readonly warnings: readonly string[];
};

type State = {
  readonly isRunning: boolean;
  readonly wasStopped: boolean;
  readonly fault: ApiFault | null;
  /** Characters that the model has written so far. */
  readonly written: number;
  readonly isChecking: boolean;
  readonly proposal: Proposal | undefined;
};

const NOTHING: State = {
  isRunning: false,
  wasStopped: false,
  fault: null,
  written: 0,
  isChecking: false,
  proposal: undefined,
};

/**
 * Has the model change what is in the editor, unsaved text included: that text goes to a branch of its own first, where the
 * model then writes. The editor changes only when a person accepts. Stopping or leaving removes the branch.
 */
export function useAssistant(template: Output<typeof getTemplate>, document: EditedDocument) {
  const queries = useQueryClient();
  const [state, setState] = useState(NOTHING);
  const running = useRef<AbortController>(undefined);
  const { name } = template;
  const { content, changes, isChanged, olderBase } = document;
  useEffect(() => () => running.current?.abort(), []);

  const remove = async (branch: string) => {
    // It may be gone already, or the server may be away: then it stays in the list of branches, where it can be deleted.
    await call(deleteBranch, { template: name, branch, force: true }).catch(() => undefined);
    await queries.invalidateQueries({ queryKey: [listBranches] });
  };

  const start = async (instruction: string, message: string) => {
    const work = new AbortController();
    running.current = work;
    setState({ ...NOTHING, isRunning: true });
    const branch = `assistant-${crypto.randomUUID().slice(0, 8)}`;
    let isDone = false;
    try {
      await call(
        createBranch,
        { template: name, name: branch, from: olderBase ?? template.version },
        work.signal,
      );
      if (isChanged) await call(updateTemplate, { template: name, branch, message, ...changes }, work.signal);
      const { version, changed, warnings } = await stream(
        editTemplate,
        { template: name, instruction, branch },
        (event, data) => setState((now) => heard(now, event, data)),
        work.signal,
      );
      const written = await call(getVersion, { template: name, version }, work.signal);
      const fields = Object.fromEntries(
        SOURCE_FIELDS.filter((field) => (written[field] ?? '') !== content[field]).map((field) => [
          field,
          written[field] ?? '',
        ]),
      );
      const others = changed.filter((field) => !SOURCE_FIELDS.some((one) => one === field));
      const said = warnings.map((warning) => warning.message);
      isDone = true;
      setState({ ...NOTHING, proposal: { branch, fields, others, warnings: said } });
    } catch (error) {
      if (isAbort(error)) setState({ ...NOTHING, wasStopped: true });
      else if (error instanceof ApiFault) setState({ ...NOTHING, fault: error });
      else throw error;
    } finally {
      if (!isDone) await remove(branch);
    }
  };

  return {
    ...state,
    start,
    stop: () => running.current?.abort(),
    /** Forgets what was written, and removes its branch. */
    async drop({ branch }: Proposal) {
      setState(NOTHING);
      await remove(branch);
    },
    /** Leaves the branch, for the editor to open it. */
    async keep() {
      setState(NOTHING);
      await queries.invalidateQueries({ queryKey: [listBranches] });
    },
  };
}

function heard(now: State, event: string, data: unknown): State {
  if (event === 'text') return { ...now, written: now.written + (data as { text: string }).text.length };
  if (event !== 'progress') return now;
  return { ...now, isChecking: (data as { message: string }).message === 'checking' };
}
