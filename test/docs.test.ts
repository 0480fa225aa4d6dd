import { readFile, stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { generatedPages } from '../scripts/generated-pages.ts';

const docs = new URL('../docs/', import.meta.url);

describe('the documentation', () => {
  test('says of settings, routes and commands what their definitions say', async () => {
    for (const [name, text] of Object.entries(await generatedPages()))
      expect(await readFile(new URL(name, docs), 'utf8'), `docs/${name}: run npm run docs`).toBe(text);
  });

  test('has no link that leads nowhere', async () => {
    for (const page of ['../README.md', 'architecture.md', 'operations.md']) {
      const url = new URL(page, docs);
      const links = [...(await readFile(url, 'utf8')).matchAll(/\]\((?!https?:)([^)#]+)/gu)];
      for (const [, target = ''] of links)
        await expect(stat(new URL(target, url)), `${page}: ${target}`).resolves.toBeDefined();
    }
  });
});
