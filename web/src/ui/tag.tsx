import type { ReactNode } from 'react';

type TagProps = {
  /** `live` is what customers see, `ghost` a branch. */
  readonly kind?: 'live' | 'plain' | 'ghost';
  readonly big?: boolean;
  readonly children: ReactNode;
};

/** Hangs on a version and says where it is. Nothing else in the interface is a tag. */
export function Tag({ kind = 'plain', big = false, children }: TagProps) {
  return <span className={`tag ${kind}${big ? ' big' : ''}`}>{children}</span>;
}

export function EnvironmentTag({ name, big = false }: { readonly name: string; readonly big?: boolean }) {
  return (
    <Tag kind={name === 'production' ? 'live' : 'plain'} big={big}>
      {name}
    </Tag>
  );
}

export function EnvironmentTags({ names }: { readonly names: readonly string[] }) {
  return (
    <span className="row tags">
      {names.map((name) => (
        <EnvironmentTag key={name} name={name} />
      ))}
    </span>
  );
}
