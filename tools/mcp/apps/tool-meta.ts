import type { AppName, Tool } from '../../contract/define.ts';

/** What a tool says about apps, as the extension `io.modelcontextprotocol/ui` has it. */
export type AppMeta = {
  readonly ui: { readonly resourceUri?: string; readonly visibility?: readonly ['app'] };
};

export function appUri(name: AppName): string {
  return `ui://stallhand/${name}.html`;
}

/** The app of a tool, or that only apps call it; undefined where neither is so. */
export function appMeta({ mcp }: Tool): AppMeta | undefined {
  if (!mcp) return undefined;
  const { app, visibility } = mcp;
  if (visibility) return { ui: { visibility } };
  return app && { ui: { resourceUri: appUri(app.name) } };
}
