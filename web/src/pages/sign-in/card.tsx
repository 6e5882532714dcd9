import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Mark } from '../../ui/mark.tsx';
import css from './sign-in.module.css';

/** A page without the navigation: one card, for who is not let in yet. */
export function Card({ children }: { readonly children: ReactNode }) {
  return (
    <div className={css.page}>
      <div className="awning wide" aria-hidden="true" />
      <main className={css.card}>
        <Link href="/" className="brand" aria-label="Stallhand">
          <Mark size={26} />
          <span className="sign">Stallhand</span>
        </Link>
        {children}
      </main>
    </div>
  );
}
