/** A style property that names images. */
export type ImageStyle = {
  readonly declaration: CSSStyleDeclaration;
  readonly property: string;
  readonly value: string;
};

/** Every style property of the page that names an image, also in keyframes and on hidden elements. */
export function imageStyles(): ImageStyle[] {
  const sheets = [...document.styleSheets].flatMap((sheet) => declarationsOf(sheet.cssRules));
  const inline = [...document.querySelectorAll<HTMLElement | SVGElement>('[style]')].map(
    ({ style }) => style,
  );
  return [...sheets, ...inline].flatMap((declaration) =>
    [...declaration]
      .map((property) => ({ declaration, property, value: declaration.getPropertyValue(property) }))
      .filter(({ value }) => addressesIn(value).length > 0),
  );
}

/** The addresses in a value, without fragments of the page itself. */
export function addressesIn(value: string): string[] {
  return [...value.matchAll(URL_FUNCTION)].map(addressOf).filter((address) => !/^(#|$)/.test(address));
}

/** Replaces addresses. */
export function replaceAddresses(styles: readonly ImageStyle[], others: ReadonlyMap<string, string>): void {
  for (const { declaration, property, value } of styles) {
    if (!addressesIn(value).some((address) => others.has(address))) continue;
    const replaced = value.replace(URL_FUNCTION, (text, ...groups: string[]) => {
      const other = others.get(addressOf([text, ...groups]));
      return other === undefined ? text : `url("${other}")`;
    });
    declaration.setProperty(property, replaced, declaration.getPropertyPriority(property));
  }
}

const URL_FUNCTION = /url\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^"'()\s]+))\s*\)/g;

function addressOf([, double, single, bare]: readonly (string | undefined)[]): string {
  return (double ?? single ?? bare ?? '').replace(/\\(.)/g, '$1');
}

function declarationsOf(rules: CSSRuleList): CSSStyleDeclaration[] {
  return [...rules].flatMap((rule) => {
    if (rule instanceof CSSFontFaceRule) return [];
    const own = 'style' in rule && rule.style instanceof CSSStyleDeclaration ? [rule.style] : [];
    const inner = 'cssRules' in rule && rule.cssRules instanceof CSSRuleList ? rule.cssRules : undefined;
    return inner ? [...own, ...declarationsOf(inner)] : own;
  });
}
