import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type NodePage, NodesQueries } from '../../graph/index.js';
import { isFaultOfPart } from '../../kernel/errors/domain-error.js';
import {
  type Access,
  type AuthorizedApp,
  AuthorizedCounts,
  type ExposureProfile,
  ExposureProfiles,
  NODE_VERBS,
  profileNotFound,
  type profileFields,
  type VerbCounts,
  type HypotheticalAccess,
  HypotheticalAccesses,
  type Visibility,
  visibility,
} from '../../privacy/index.js';

/** The question that a preview answers, whatever the profile. */
export interface PreviewRequest {
  /** Null: an app that requests everything. */
  appId: string | null;
  /** Id of another profile to compare this one with. */
  compareTo: string | null;
  limit: number;
  offset: number;
}

type UnsavedFields = ReturnType<typeof profileFields>;

/** Some of the nodes, and the access that shows them. */
export interface PreviewedNodes {
  access: Access;
  page: NodePage;
}

export interface Preview {
  hypothetical: HypotheticalAccess;
  counts: VerbCounts & { nodes: number };
  sample: PreviewedNodes;
  comparison: { profileId: string; counts: VerbCounts; gained: PreviewedNodes; lost: PreviewedNodes } | null;
}

/** Previews of an app's access through a profile as it is, or as it would be. */
@Injectable()
export class Previews implements OnModuleInit {
  constructor(
    private readonly profiles: ExposureProfiles,
    private readonly hypothetical: HypotheticalAccesses,
    private readonly nodes: NodesQueries,
    private readonly authorizedCounts: AuthorizedCounts,
  ) {}

  onModuleInit(): void {
    this.authorizedCounts.register((owner, app) => this.countsOf(owner, app));
  }

  /**
   * Compares an edit with the profile as saved, unless another one is named.
   * @throws NOT_FOUND for the app and the other profile; errors of saving the edit
   */
  async of(
    owner: Access,
    profile: ExposureProfile,
    { edit, ...request }: PreviewRequest & { edit: UnsavedFields | null },
  ): Promise<Preview> {
    const subject = edit === null ? profile : await this.profiles.edited(profile, edit);
    return this.preview(owner, { subject, saved: edit === null ? null : profile }, request);
  }

  /**
   * Previews a profile that is not saved, and is compared with another one only where that is named.
   * @throws NOT_FOUND for the app and the other profile; errors of creating the profile
   */
  async ofDraft(owner: Access, fields: UnsavedFields, request: PreviewRequest): Promise<Preview> {
    const subject = await this.profiles.draft(owner.ownerId, fields);
    return this.preview(owner, { subject, saved: null }, request);
  }

  /** The counts of a preview, for an app as its owner authorized it. */
  private async countsOf(owner: Access, { appId, profileId }: AuthorizedApp): Promise<VerbCounts | null> {
    try {
      const profile = await this.profiles.get(owner.ownerId, profileId);
      const { access, circumstances } = await this.hypothetical.of(owner, profile, appId);
      return circumstances.some(({ verdict }) => verdict === 'refuses') ? null : await this.counts(access);
    } catch (error) {
      // The app or the profile has ended since the authorizations were read.
      if (!isFaultOfPart(error)) throw error;
      return null;
    }
  }

  private async preview(
    owner: Access,
    { subject, saved }: { subject: ExposureProfile; saved: ExposureProfile | null },
    request: PreviewRequest,
  ): Promise<Preview> {
    const { appId, compareTo } = request;
    const baseline = compareTo === null ? saved : await this.other(owner, compareTo);
    const hypothetical = await this.hypothetical.of(owner, subject, appId);
    const { access } = hypothetical;
    return {
      hypothetical,
      counts: { nodes: await this.nodes.count(owner, {}), ...(await this.counts(access)) },
      sample: await this.page({ access, read: access.nodes.read }, request),
      comparison: baseline === null ? null : await this.compared(access, { owner, baseline }, request),
    };
  }

  private async compared(
    access: Access,
    { owner, baseline }: { owner: Access; baseline: ExposureProfile },
    request: PreviewRequest,
  ): Promise<NonNullable<Preview['comparison']>> {
    const { access: before } = await this.hypothetical.of(owner, baseline, request.appId);
    const { and, not } = visibility;
    const gained = and(access.nodes.read, not(before.nodes.read));
    const lost = and(before.nodes.read, not(access.nodes.read));
    return {
      profileId: baseline.id,
      counts: await this.counts(before),
      gained: await this.page({ access, read: gained, than: before.key }, request),
      // Lost nodes are shown as they were.
      lost: await this.page({ access: before, read: lost, than: access.key }, request),
    };
  }

  private async counts(access: Access): Promise<VerbCounts> {
    const counts: Partial<VerbCounts> = {};
    for (const verb of NODE_VERBS)
      counts[verb] = await this.nodes.count(withReadableNodes(access, access.nodes[verb], verb), {});
    return counts as VerbCounts;
  }

  private async page(
    { access, read, than = 'nothing' }: { access: Access; read: Visibility; than?: string },
    { limit, offset }: PreviewRequest,
  ): Promise<PreviewedNodes> {
    const listing = { filter: {}, sort: 'updated_at', order: 'desc', limit, offset } as const;
    return {
      access,
      page: await this.nodes.list(withReadableNodes(access, read, `beyond ${than}`), listing),
    };
  }

  /** The same error for an unknown, a foreign and a malformed id. */
  private async other(owner: Access, id: string): Promise<ExposureProfile> {
    try {
      return await this.profiles.get(owner.ownerId, id);
    } catch (error) {
      if (!isFaultOfPart(error)) throw error;
      throw profileNotFound(['compare_to']);
    }
  }
}

/** The same access with other nodes to read; totals are cached by the key. */
const withReadableNodes = (access: Access, read: Visibility, what: string): Access => ({
  ...access,
  key: `${access.key} ${what}`,
  nodes: { ...access.nodes, read },
});
