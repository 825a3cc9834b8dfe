export type Requested = Record<string, unknown>;
export type ProfileBody = Record<string, unknown>;

const all = { schema_ids: [], allow_all: true };

/** The permissions of an app that requests everything. */
export const everything: Requested = {
  tags: { discover: true, read: true, propose: true, create: true, edit: true, write: true, delete: true },
  files: { read: true },
  schemas: { read: all, write: all },
};

/** The permissions of an app that only reads. */
export const readOnly: Requested = {
  tags: { discover: true, read: true },
  files: { read: true },
  schemas: { read: all },
};

export const allTags = { tag_ids: [], allow_all: true };
export const someTags = (...tag_ids: string[]) => ({ tag_ids, allow_all: false });
export const allSchemas = { read: all, write: all };
