import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../i18n/text.ts';
import { CopyButton } from './copy.tsx';

const ICONS = { err: CircleAlert, ok: CircleCheck, warn: TriangleAlert, mg: Info, plain: Info };

type BannerProps = {
  readonly tone?: keyof typeof ICONS;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  /** The request's ID, for the person asked for help. */
  readonly id?: string | undefined;
  readonly action?: ReactNode;
};

/** What happened, what it means and what to do. A failure is read out at once. */
export function Banner({ tone = 'plain', title, children, id, action }: BannerProps) {
  const t = useText();
  const Icon = ICONS[tone];
  return (
    <div className={`banner ${tone}`} role={tone === 'err' ? 'alert' : 'status'}>
      <Icon className="icon" aria-hidden="true" />
      <div className="col gap1">
        <span className="strong">{title}</span>
        {children && <span className="mid">{children}</span>}
        {id && (
          <span className="row id">
            {id}
            <CopyButton value={id} label={t('copy.id')} />
          </span>
        )}
      </div>
      {action && <div>{action}</div>}
    </div>
  );
}
