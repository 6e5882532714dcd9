/** When the limits below were written down, from what was known then; platforms change them without a word. */
export const PLATFORMS_AS_OF = '2026-11-21';

export type Platform = {
  readonly label: string;
  /** Graphemes the platform takes; a longer hook is refused. */
  readonly hard: number;
  /** Graphemes it shows before it cuts the text off. */
  readonly visible: number;
  /** How long a hook said aloud may take; null where hooks are only read. */
  readonly spokenSeconds: number | null;
};

/** Where a hook will stand, and how much of it fits there. */
export const PLATFORMS = {
  generic: { label: 'Anywhere', hard: 300, visible: 100, spokenSeconds: 3 },
  youtube: { label: 'YouTube', hard: 100, visible: 60, spokenSeconds: 3 },
  youtube_shorts: { label: 'YouTube Shorts', hard: 100, visible: 40, spokenSeconds: 3 },
  tiktok: { label: 'TikTok', hard: 4000, visible: 100, spokenSeconds: 3 },
  instagram: { label: 'Instagram', hard: 2200, visible: 125, spokenSeconds: null },
  instagram_reels: { label: 'Instagram Reels', hard: 2200, visible: 55, spokenSeconds: 3 },
  facebook: { label: 'Facebook', hard: 63_206, visible: 125, spokenSeconds: null },
  linkedin: { label: 'LinkedIn', hard: 3000, visible: 210, spokenSeconds: null },
  x: { label: 'X', hard: 280, visible: 80, spokenSeconds: null },
  // Mail has no limit of its own; a subject beyond this is shown in full nowhere.
  email: { label: 'Email subject', hard: 200, visible: 50, spokenSeconds: null },
  blog: { label: 'Blog headline', hard: 200, visible: 60, spokenSeconds: null },
} as const satisfies Record<string, Platform>;

export type PlatformId = keyof typeof PLATFORMS;

// Object.keys forgets the keys' type; these are exactly those of the table.
export const PLATFORM_IDS = Object.keys(PLATFORMS) as [PlatformId, ...PlatformId[]];
