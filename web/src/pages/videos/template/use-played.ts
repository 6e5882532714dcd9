import { useRef, useState } from 'react';
import type { ApiFault } from '../../../api/fault.ts';
import type { Input } from '../../../api/operation.ts';
import type { previewVideoTemplate } from '../../../api/operations.gen.ts';
import type { ScriptFailure } from '../player-frame.tsx';
import { useVideoPreview } from '../use-video-preview.ts';
import { findingOf, findingsOf, scriptFinding } from './findings.ts';
import type { Aspect, Finding, Manifest, OwnTemplate, TemplateContent } from './template-fields.ts';

type Request = Input<typeof previewVideoTemplate>;

type PlayedInput = {
  readonly template: OwnTemplate;
  readonly content: TemplateContent;
  /** Nothing while the texts are no manifest: then the last that was one goes on playing. */
  readonly manifest: Manifest | undefined;
  /** An earlier version, which plays instead. */
  readonly shown: OwnTemplate | undefined;
  readonly aspect: Aspect;
};

type Played = {
  readonly url: string | undefined;
  readonly findings: readonly Finding[];
  /** Why it cannot be played, where that is at no place of the text. */
  readonly fault: ApiFault | null;
  readonly onFailure: (failure: ScriptFailure) => void;
};

/** More would only say the same again: a script that fails in each frame. */
const MAX_FAILURES = 5;

/** The page that plays what is typed, and what the server and the page itself say of it. */
export function usePlayed({ template, content, manifest, shown, aspect }: PlayedInput): Played {
  const { name } = template;
  const [failures, setFailures] = useState<readonly ScriptFailure[]>([]);
  const typed = manifest && { html: content.html, manifest };
  const last = useRef<Pick<Request, 'html' | 'manifest'>>({
    html: template.html,
    manifest: template.manifest as Manifest,
  });
  if (typed) last.current = typed;
  const source = shown ? { html: shown.html, manifest: shown.manifest as Manifest } : last.current;
  const preview = useVideoPreview({ template: name, aspect, ...source } as Request);
  const url = preview.data?.url;
  // What is said of an earlier version is at no place of the text that is edited.
  const placed = shown ? [] : findingsOf(preview.error, content);
  const scripts = failures.filter((failure) => failure.url === url);
  return {
    url,
    findings: shown
      ? []
      : [
          ...placed,
          ...(preview.data?.warnings ?? []).map((warning) => findingOf(warning, content)),
          ...scripts.map((failure) => scriptFinding(failure, content)),
        ],
    fault: placed.length > 0 ? null : preview.error,
    onFailure: (failure) =>
      setFailures((known) =>
        known.some((one) => one.url === failure.url && one.message === failure.message)
          ? known
          : [failure, ...known].slice(0, MAX_FAILURES),
      ),
  };
}
