import {
  Clapperboard,
  Images,
  LayoutList,
  type LucideIcon,
  Mail,
  Megaphone,
  ReceiptText,
  RefreshCw,
  SwatchBook,
  UserRound,
} from 'lucide-react';
import type { PagePath } from '../../../http/web/pages.ts';
import type { TextKey } from '../i18n/text.ts';

export type Section = {
  readonly to: PagePath;
  readonly label: TextKey;
  readonly icon: LucideIcon;
  /** Names the color of its index tab. */
  readonly section?: string;
  /** The second key after `g`. */
  readonly key: string;
  /** Other pages of the section. */
  readonly with?: readonly (PagePath | '/settings')[];
  /** Pages of the section, shown under it while it is open. */
  readonly parts?: readonly SectionPart[];
};

export type SectionPart = { readonly to: PagePath; readonly label: TextKey };

export const SYNC_PARTS: readonly SectionPart[] = [
  { to: '/stores', label: 'nav.stores' },
  { to: '/sheets', label: 'nav.sheets' },
  { to: '/mapping', label: 'nav.mappings' },
  { to: '/runs', label: 'nav.runs' },
];

/** What the navigation shows: pages that exist. */
export const SECTIONS: readonly Section[] = [
  { to: '/dashboard', label: 'nav.today', icon: LayoutList, key: 'd' },
  { to: '/templates', label: 'nav.templates', icon: Mail, section: 'templates', key: 't' },
  { to: '/videos', label: 'nav.videos', icon: Clapperboard, section: 'videos', key: 'v' },
  {
    to: '/generator',
    label: 'nav.hooks',
    icon: Megaphone,
    section: 'hooks',
    key: 'h',
    with: ['/history', '/usage'],
  },
  { to: '/stores', label: 'nav.sync', icon: RefreshCw, section: 'sync', key: 's', parts: SYNC_PARTS },
];

/** What every section uses, and the account; on phones behind one button. */
export const SHARED: readonly Section[] = [
  { to: '/assets', label: 'nav.assets', icon: Images, key: 'a' },
  { to: '/brand', label: 'nav.brand', icon: SwatchBook, key: 'r' },
  { to: '/billing', label: 'nav.billing', icon: ReceiptText, key: 'b' },
  { to: '/profile', label: 'nav.profile', icon: UserRound, key: 'p', with: ['/settings'] },
];

export const isBelow = (path: string, to: string): boolean => path === to || path.startsWith(`${to}/`);

export const isWithin = (path: string, { to, with: others = [], parts = [] }: Section): boolean =>
  [to, ...others, ...parts.map((part) => part.to)].some((one) => isBelow(path, one));
