import { z } from 'zod';
import { BranchName, Bump, DEFAULT_BRANCH, Document, TemplateName } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { author } from './output.ts';
import { branchQuestion } from './questions.ts';

const Conflict = z.object({
  id: z.string(),
  field: z.string(),
  base: z.unknown().optional(),
  ours: z.unknown().optional(),
  theirs: z.unknown().optional(),
  line: z.number().optional(),
});

export const mergeBranch = defineTool({
  name: 'merge_branch',
  title: 'Merge a branch',
  description:
    'Merge a branch into main or another branch as a new version. On merge_conflict, call again with the merge_token and one resolution per conflict, or with strategy ours (target branch) or theirs (source branch). dry_run only reports.',
  keywords: {
    en: [
      'apply a draft to main',
      'merge conflict',
      'combine changes',
      'land',
      'bring a draft in',
      'my draft is finished',
      'draft is done',
      'join a branch with main',
      'put the changes of a branch into main',
    ],
    es: [
      'fusionar',
      'aplicar un borrador a main',
      'conflicto de fusión',
      'pasar los cambios',
      'mezclar',
      'unir',
      'mi borrador está listo',
      'unir una rama con main',
      'juntar ramas',
      'llevar una rama a la principal',
    ],
  },
  toolset: 'templates',
  effect: 'update',
  scope: 'templates:write',
  rest: {
    route: 'POST /v1/templates/{template}/branches/{branch}/merge',
    // For a page that shows the merge before it is done.
    extraInput: {
      include: z.enum(['document']).meta({ description: 'Include the merged document in a dry run' }),
    },
  },
  input: z.object({
    template: TemplateName,
    branch: BranchName,
    into: BranchName.default(DEFAULT_BRANCH),
    strategy: z.enum(['fail', 'ours', 'theirs']).default('fail'),
    resolutions: z
      .array(
        z.strictObject({
          id: z.string().max(300),
          take: z.enum(['ours', 'theirs', 'base', 'text']),
          text: z.string().max(262_144).optional(),
        }),
      )
      .max(1000)
      .default([]),
    merge_token: z.string().max(100).optional(),
    dry_run: z.boolean().default(false),
    bump: Bump.default('auto'),
    delete_branch: z.boolean().default(false),
    message: z.string().max(500).default(''),
  }),
  output: z.object({
    version: z.string().optional().meta({ description: 'Head of the target branch' }),
    created: z.boolean(),
    bump: z.string().optional(),
    bump_reason: z.string().optional(),
    branch: z.string(),
    into: z.string(),
    fast_forward: z.boolean(),
    dry_run: z.boolean(),
    merge_token: z.string(),
    conflicts: z.array(Conflict),
    document: Document.optional().meta({
      description: 'Merged document; conflicting places have the text of ours',
    }),
    branch_deleted: z.boolean(),
  }),
  // The versions before stay in the history; what a draft says in place of main is worth a look.
  confirm: async ({ template, branch, into, strategy, dry_run: dryRun }, call) =>
    strategy === 'theirs' && into === DEFAULT_BRANCH && !dryRun
      ? branchQuestion(call, template, branch, 'merge_theirs')
      : undefined,
  run: async ({ template, branch, merge_token, dry_run, delete_branch, include, ...input }, call) => {
    const merged = await call.app.templates.merging.merge(author(call), template, branch, {
      ...input,
      mergeToken: merge_token,
      dryRun: dry_run,
      deleteBranch: delete_branch,
    });
    if (include === 'document' || !('document' in merged)) return merged;
    const { document: _, ...answer } = merged;
    return answer;
  },
  examples: [
    {
      title: 'A draft goes live',
      given: [
        ['create_branch', { template: 'welcome', name: 'holiday' }],
        ['update_template', { template: 'welcome', branch: 'holiday', subject: 'Happy holidays, {{name}}' }],
      ],
      input: { template: 'welcome', branch: 'holiday', delete_branch: true },
    },
    {
      title: 'Conflicts, dry run',
      given: [
        ['create_branch', { template: 'welcome', name: 'holiday' }],
        ['update_template', { template: 'welcome', branch: 'holiday', subject: 'Happy holidays' }],
        ['update_template', { template: 'welcome', subject: 'Good morning' }],
      ],
      input: { template: 'welcome', branch: 'holiday', dry_run: true },
    },
  ],
});
