import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readMarkdownVault, type VaultGraph } from '../../src/import/markdown-vault.js';

/** Writes the files into a new folder, reads it as a vault and removes it again. */
export async function readVaultOf(
  files: Record<string, string | Uint8Array>,
  prepare: (root: string) => Promise<void> = async () => {},
): Promise<VaultGraph> {
  const root = await mkdtemp(join(tmpdir(), 'vault-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
    await prepare(root);
    return await readMarkdownVault(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

export function noteOf(graph: VaultGraph, ref: string) {
  const node = graph.nodes.find((candidate) => candidate.ref === ref);
  if (!node)
    throw new Error(`no note ${ref} among ${graph.nodes.map((candidate) => candidate.ref).join(', ')}`);
  return node;
}

export function edgesOf(graph: VaultGraph): string[] {
  return graph.relationships.map(({ from, to }) => `${from} → ${to}`);
}
