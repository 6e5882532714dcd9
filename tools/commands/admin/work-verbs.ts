import type { App } from '../../../src/app.ts';
import { WORK_STATES } from '../../../src/operator/operator-repo.ts';
import { Refusal } from '../command.ts';
import { oneOf, type Verb } from './verb.ts';

const CONNECTION_STATES = ['connected', 'reconnect_required', 'disconnected', 'all'] as const;

/** Work in the background: jobs, videos and sync runs; automatic syncs; connected stores and sheets. */
export const workVerbs: readonly Verb[] = [
  {
    words: 'jobs list',
    takes: `[--state ${WORK_STATES.join('|')}] [--account ACCOUNT]`,
    does: 'List jobs, videos and sync runs that failed or wait for a person, or those in one state.',
    options: ['state', 'account'],
    run({ app, option, limit }) {
      const state = option('state');
      const states =
        state === undefined ? (['failed', 'waiting'] as const) : [oneOf('--state', WORK_STATES, state)];
      return app.operator.listWork({ states, accountId: option('account') ?? null, limit });
    },
  },
  {
    words: 'jobs retry',
    takes: 'ID',
    does: 'Resume a failed or canceled video, or repeat an ended sync run. A job cannot be retried.',
    operands: 1,
    async run({ app, operand }) {
      const id = operand(0);
      const { account_id: accountId, kind } = await workWith(app, id);
      if (kind === 'job')
        throw new Refusal(
          `${id} cannot be retried: the input of a job is deleted when it ends. Its caller has to send the call again.`,
        );
      return { id, kind, account_id: accountId, runs: await app.operator.retryWork(kind, { id, accountId }) };
    },
  },
  {
    words: 'jobs cancel',
    takes: 'ID',
    does: 'Cancel a job, video or sync run: a waiting one immediately, a running one within seconds.',
    operands: 1,
    async run({ app, operand }) {
      const id = operand(0);
      const { account_id: accountId, kind } = await workWith(app, id);
      await app.operator.cancelWork(kind, { id, accountId });
      return { id, kind, account_id: accountId, canceled: true };
    },
  },
  {
    words: 'syncs list',
    takes: '[--state stopped|all] [--account ACCOUNT]',
    does: 'List sync configurations that are paused, whose store or sheet must be connected again, or whose runs are held or fail.',
    options: ['state', 'account'],
    run({ app, option, limit }) {
      const stopped = oneOf('--state', ['stopped', 'all'], option('state') ?? 'stopped') === 'stopped';
      return app.operator.listSyncs({ stopped, accountId: option('account') ?? null, limit });
    },
  },
  {
    words: 'syncs pause',
    takes: 'ID',
    does: 'Stop the automatic runs of a sync configuration. A run in progress continues; cancel it with jobs cancel.',
    operands: 1,
    run: ({ app, operand }) => setEnabled(app, operand(0), false),
  },
  {
    words: 'syncs resume',
    takes: 'ID',
    does: 'Start the automatic runs of a sync configuration again.',
    operands: 1,
    run: ({ app, operand }) => setEnabled(app, operand(0), true),
  },
  {
    words: 'connections list',
    takes: `[--status ${CONNECTION_STATES.join('|')}] [--account ACCOUNT]`,
    does: 'List connected stores and sheets that an owner must connect again, or those with one status.',
    options: ['status', 'account'],
    run({ app, option, limit }) {
      const status = oneOf('--status', CONNECTION_STATES, option('status') ?? 'reconnect_required');
      const accountId = option('account') ?? null;
      return app.operator.listConnections({ status: status === 'all' ? null : status, accountId, limit });
    },
  },
];

/** @throws Refusal */
async function workWith(app: App, id: string) {
  const found = await app.operator.findWork(id);
  if (!found) throw new Refusal(`No job, video or sync run has the ID ${id}.`);
  return found;
}

async function setEnabled(app: App, id: string, enabled: boolean) {
  if (!(await app.operator.setSyncEnabled(id, enabled)))
    throw new Refusal(`No sync configuration has the ID ${id}.`);
  return { id, enabled };
}
