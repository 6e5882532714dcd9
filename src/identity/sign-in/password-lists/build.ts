/**
 * The text of password-lists.json: the most common passwords and words, and the rows of keyboards, from the data of zxcvbn-ts.
 * The package has them twice, for two systems of modules, so only this file is installed in production.
 */
export async function passwordListsFile(): Promise<string> {
  const { adjacencyGraphs, dictionary } = await import('@zxcvbn-ts/language-common');
  const words = Object.entries(dictionary).map(([name, list]) => {
    const found = list.find((word) => /\s/.test(word));
    if (found !== undefined)
      throw new Error(`The password '${found}' has a space, which separates them here.`);
    return `${JSON.stringify(name)}: ${JSON.stringify(list.join(' '))}`;
  });
  const source = '@zxcvbn-ts/language-common, MIT License, © Dan Wheeler, Dropbox, Inc. and zxcvbn-ts';
  return `{
"source": ${JSON.stringify(source)},
"graphs": ${JSON.stringify(adjacencyGraphs)},
"dictionary": {
${words.join(',\n')}
}
}
`;
}
