import '../../ui/styles/select.ts';
import { NativeSelect } from '@mantine/core';
import { GitBranch } from 'lucide-react';
import { lazy, memo, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { listBranches } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';

const NewBranch = lazy(() => import('./new-branch.tsx').then(({ NewBranch: One }) => ({ default: One })));

type BranchMenuProps = { readonly template: string; readonly branch: string };

/** No branch has this name. */
const NEW = ' new';

/** The branches of a template, and the way to a new one. */
export const BranchMenu = memo(({ template, branch }: BranchMenuProps) => {
  const t = useText();
  const [, go] = useLocation();
  const [isNaming, setNaming] = useState(false);
  const { data } = useRead(listBranches, { template });
  const open = (name: string) =>
    go(
      `/templates/${encodeURIComponent(template)}${name === 'main' ? '' : `?branch=${encodeURIComponent(name)}`}`,
    );
  const choices = (data?.items ?? []).map(({ name, ahead }) => ({
    value: name,
    label: ahead > 0 ? `${name}, ${t('branches.ahead', { count: ahead })}` : name,
  }));
  return (
    <>
      <NativeSelect
        aria-label={t('branches.title')}
        leftSection={<GitBranch className="icon" />}
        value={branch}
        onChange={({ currentTarget }) =>
          currentTarget.value === NEW ? setNaming(true) : open(currentTarget.value)
        }
        data={[...(choices.length > 0 ? choices : [branch]), { value: NEW, label: t('branches.new') }]}
      />
      {isNaming && (
        <Suspense>
          <NewBranch template={template} from={branch} open={open} close={() => setNaming(false)} />
        </Suspense>
      )}
    </>
  );
});
