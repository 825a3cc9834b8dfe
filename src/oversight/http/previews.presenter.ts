import { Injectable } from '@nestjs/common';
import { NodePresenter, type NodesDto, slicesOfShowing, type WireNode } from '../../graph/index.js';
import { type Preview, type PreviewedNodes } from '../application/previews.service.js';
import { type DraftPreviewDto, type PreviewQuestion, type ProfilePreviewDto } from './previews.dto.js';

@Injectable()
export class PreviewPresenter {
  constructor(private readonly nodes: NodePresenter) {}

  async present(
    { id, isEdited }: { id: string; isEdited: boolean },
    body: PreviewQuestion,
    preview: Preview,
  ): Promise<ProfilePreviewDto> {
    return { exposure_profile_id: id, ...(await this.answer(body, preview, isEdited)) };
  }

  async presentDraft(body: PreviewQuestion, preview: Preview): Promise<DraftPreviewDto> {
    return { exposure_profile_id: null, ...(await this.answer(body, preview, false)) };
  }

  private async answer(
    body: PreviewQuestion,
    { hypothetical, counts, sample, comparison }: Preview,
    isEdited: boolean,
  ): Promise<Omit<ProfilePreviewDto, 'exposure_profile_id'>> {
    return {
      app_id: body.app_id ?? null,
      is_edited: isEdited,
      permissions: [...hypothetical.access.permissions],
      missing: hypothetical.missing,
      max_detail_level: hypothetical.access.exposure.detail,
      counts,
      sample: await this.page(sample, body),
      comparison: comparison && {
        exposure_profile_id: comparison.profileId,
        counts: comparison.counts,
        gained: await this.page(comparison.gained, body),
        lost: await this.page(comparison.lost, body),
      },
    };
  }

  /** Shows fewer large nodes than requested: as many as can be read and shown in time, at least one. */
  private async page(
    { access, page: { records, total } }: PreviewedNodes,
    { limit, offset }: PreviewQuestion,
  ): Promise<NodesDto> {
    const slices = slicesOfShowing();
    const nodes: WireNode[] = [];
    for (const record of records) {
      if (nodes.length > 0 && slices.isHalfSpent) break;
      await this.nodes.prepare(access, [record], slices);
      nodes.push(this.nodes.presentListed(access, record, { includeTags: true }));
    }
    const isToEnd = nodes.length === limit || offset + nodes.length >= total;
    return { nodes, total, limit: isToEnd ? limit : nodes.length, offset } as unknown as NodesDto;
  }
}
