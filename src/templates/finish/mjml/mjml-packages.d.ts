// The parts of MJML's packages that are used; they bring no types.

declare module 'mjml-core' {
  type Component = (...parts: never[]) => unknown;
  type Options = {
    readonly fonts: Readonly<Record<string, string>>;
    readonly ignoreIncludes: boolean;
    readonly keepComments: boolean;
    readonly validationLevel: 'strict' | 'soft' | 'skip';
  };
  type Result = {
    readonly html: string;
    readonly errors: readonly { readonly line: number; readonly message: string; readonly tagName: string }[];
  };
  const core: {
    readonly default: (source: string, options: Options) => Promise<Result>;
    readonly components: Record<string, Component>;
    assignComponents(target: Record<string, Component>, components: readonly Component[]): void;
  };
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default core;
}

declare module 'mjml-preset-core' {
  import type { Component } from 'mjml-core';

  const preset: {
    readonly components: readonly Component[];
    readonly dependencies: Readonly<Record<string, readonly string[]>>;
  };
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default preset;
}

declare module 'mjml-validator' {
  const validator: {
    readonly dependencies: Record<string, readonly string[]>;
    assignDependencies(
      target: Record<string, readonly string[]>,
      dependencies: Readonly<Record<string, readonly string[]>>,
    ): void;
  };
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default validator;
}
