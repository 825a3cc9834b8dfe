-- People together: shares, follows, groups (decisions 10).
-- Nothing here copies a node or a permission. A group's graph is rows of nodes, tags, relationships and
-- exposure_profiles whose owner_id is the group's id.

-- One user's grant to another. owner_id gave it; graph_owner_id owns the nodes it is about: another person only for a
-- re-share, which names the share it hangs on (decisions 10.8). What a re-share is worth is found along that chain
-- when it is read.
CREATE TABLE shares (
  owner_id            uuid NOT NULL,
  id                  uuid NOT NULL,
  graph_owner_id      uuid NOT NULL,
  shared_with_user_id uuid NOT NULL,
  scope               text NOT NULL CHECK (scope IN ('all', 'specific_tags', 'specific_nodes')),
  tag_ids             uuid[] NOT NULL DEFAULT '{}',
  node_ids            uuid[] NOT NULL DEFAULT '{}',
  can_read            boolean NOT NULL,
  can_write           boolean NOT NULL,
  can_delete          boolean NOT NULL,
  can_share           boolean NOT NULL,
  source              text NOT NULL CHECK (source IN ('manual', 'follow')),
  follow_id           uuid,
  parent_owner_id     uuid,
  parent_share_id     uuid,
  version             integer NOT NULL DEFAULT 1,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  expires_at          timestamptz,
  revoked_at          timestamptz,
  PRIMARY KEY (owner_id, id),
  FOREIGN KEY (parent_owner_id, parent_share_id) REFERENCES shares (owner_id, id),
  CHECK (owner_id <> shared_with_user_id AND graph_owner_id <> shared_with_user_id),
  CHECK ((parent_share_id IS NULL) = (parent_owner_id IS NULL)),
  CHECK ((parent_share_id IS NULL) = (graph_owner_id = owner_id)),
  CHECK ((source = 'follow') = (follow_id IS NOT NULL))
);
CREATE INDEX shares_outgoing ON shares (owner_id, created_at DESC, id DESC);
CREATE INDEX shares_incoming ON shares (shared_with_user_id, created_at DESC, id DESC) WHERE revoked_at IS NULL;
CREATE INDEX shares_children ON shares (parent_owner_id, parent_share_id) WHERE parent_share_id IS NOT NULL;

-- owner_id is the followed user, who decides; share_id is a share of theirs.
CREATE TABLE follows (
  owner_id     uuid NOT NULL,
  id           uuid NOT NULL,
  follower_id  uuid NOT NULL,
  status       text NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'revoked')),
  message      text,
  share_id     uuid,
  version      integer NOT NULL DEFAULT 1,
  created_at   timestamptz NOT NULL,
  responded_at timestamptz,
  PRIMARY KEY (owner_id, id),
  FOREIGN KEY (owner_id, share_id) REFERENCES shares (owner_id, id),
  CHECK (owner_id <> follower_id)
);
CREATE UNIQUE INDEX follows_pair ON follows (owner_id, follower_id) WHERE status IN ('pending', 'accepted');
CREATE INDEX follows_incoming ON follows (owner_id, created_at DESC, id DESC);
CREATE INDEX follows_outgoing ON follows (follower_id, created_at DESC, id DESC);

-- Every change of a group, its members or its invitations locks this row first, so that such changes come one after
-- the other: the last admin cannot leave twice at once.
CREATE TABLE groups (
  id              uuid PRIMARY KEY,
  name            text NOT NULL,
  description     text,
  deletion_policy text NOT NULL CHECK (deletion_policy IN ('disband', 'transfer')),
  created_by      uuid NOT NULL,
  is_active       boolean NOT NULL DEFAULT true,
  version         integer NOT NULL DEFAULT 1,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL
);

-- In the tables below owner_id is the group.
CREATE TABLE group_members (
  owner_id            uuid NOT NULL REFERENCES groups (id),
  user_id             uuid NOT NULL,
  role                text NOT NULL CHECK (role IN ('admin', 'member')),
  exposure_profile_id uuid,
  joined_at           timestamptz NOT NULL,
  PRIMARY KEY (owner_id, user_id),
  CONSTRAINT group_members_profile FOREIGN KEY (owner_id, exposure_profile_id) REFERENCES exposure_profiles (owner_id, id)
);
CREATE INDEX group_members_user ON group_members (user_id, joined_at, owner_id);
CREATE INDEX group_members_profile ON group_members (owner_id, exposure_profile_id) WHERE exposure_profile_id IS NOT NULL;

CREATE TABLE group_invitations (
  owner_id        uuid NOT NULL REFERENCES groups (id),
  id              uuid NOT NULL,
  invited_user_id uuid NOT NULL,
  invited_by      uuid NOT NULL,
  role            text NOT NULL CHECK (role IN ('admin', 'member')),
  message         text,
  status          text NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'cancelled')),
  created_at      timestamptz NOT NULL,
  responded_at    timestamptz,
  PRIMARY KEY (owner_id, id)
);
CREATE UNIQUE INDEX group_invitations_pending ON group_invitations (owner_id, invited_user_id) WHERE status = 'pending';
CREATE INDEX group_invitations_invited ON group_invitations (invited_user_id, id);

CREATE TABLE group_connections (
  owner_id        uuid NOT NULL REFERENCES groups (id),
  id              uuid NOT NULL,
  target_group_id uuid NOT NULL REFERENCES groups (id),
  status          text NOT NULL CHECK (status IN ('pending', 'accepted', 'declined', 'revoked')),
  message         text,
  requested_by    uuid NOT NULL,
  responded_by    uuid,
  created_at      timestamptz NOT NULL,
  responded_at    timestamptz,
  PRIMARY KEY (owner_id, id),
  CHECK (owner_id <> target_group_id)
);
CREATE UNIQUE INDEX group_connections_pair ON group_connections (owner_id, target_group_id)
  WHERE status IN ('pending', 'accepted');
CREATE INDEX group_connections_target ON group_connections (target_group_id, created_at DESC, id DESC);

-- What a member lets a group see of the own graph: owner_id is the member, the profile one of the member's.
CREATE TABLE group_shares (
  owner_id            uuid NOT NULL,
  group_id            uuid NOT NULL REFERENCES groups (id),
  exposure_profile_id uuid NOT NULL,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  PRIMARY KEY (owner_id, group_id),
  CONSTRAINT group_shares_profile FOREIGN KEY (owner_id, exposure_profile_id) REFERENCES exposure_profiles (owner_id, id)
);
CREATE INDEX group_shares_group ON group_shares (group_id, owner_id);
CREATE INDEX group_shares_profile ON group_shares (owner_id, exposure_profile_id);
