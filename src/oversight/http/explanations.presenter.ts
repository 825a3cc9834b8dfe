import { Injectable } from '@nestjs/common';
import {
  discovers,
  factsOf,
  type NodeDto,
  NodePresenter,
  slicesOfShowing,
  wireOf,
} from '../../graph/index.js';
import { type ExposureProfile, type HypotheticalAccess } from '../../privacy/index.js';
import { type Explanation } from '../application/explanations.service.js';
import { type ExplanationDto } from './explanations.dto.js';

@Injectable()
export class ExplanationPresenter {
  constructor(private readonly nodes: NodePresenter) {}

  async present(
    profile: ExposureProfile,
    appId: string | null,
    { record, hypothetical, verbs }: Explanation,
  ): Promise<ExplanationDto> {
    const isRead = verbs.some(({ verb, allowed }) => verb === 'read' && allowed);
    const slices = slicesOfShowing();
    await this.nodes.prepare(hypothetical.access, [record], slices);
    const fields = await fieldsOf(profile, { record, hypothetical }, slices);
    return {
      exposure_profile_id: profile.id,
      node_id: record.id,
      app_id: appId,
      authorization: authorizationOf(hypothetical),
      verbs: verbs.map(({ decidedBy, ...verb }) => ({ ...verb, decided_by: decidedBy })),
      tags: record.tag_ids.map((id) => ({
        id,
        name: hypothetical.access.vocabulary.nameOf(id),
        shown: discovers(hypothetical.access, id),
      })),
      fields,
      shown_as: isRead ? (this.nodes.present(hypothetical.access, record) as unknown as NodeDto) : null,
    };
  }
}

async function fieldsOf(
  { rules: { transformations } }: ExposureProfile,
  { record, hypothetical: { access } }: Pick<Explanation, 'record' | 'hypothetical'>,
  slices: ReturnType<typeof slicesOfShowing>,
): Promise<ExplanationDto['fields']> {
  const facts = factsOf(record);
  const fields: ExplanationDto['fields'] = [];
  for (const [path, value] of Object.entries(wireOf(access, record))) {
    const { isShown, hiddenBy, changedBy } = await access.exposure.story({ path, value }, facts, slices);
    fields.push({
      field: path,
      shown: isShown,
      hidden_by: hiddenBy,
      transformations: changedBy.map((index) => ({ index, type: transformations[index]?.type as string })),
    });
  }
  return fields;
}

const authorizationOf = ({ authorization }: HypotheticalAccess): ExplanationDto['authorization'] =>
  authorization && {
    id: authorization.id,
    status: authorization.status,
    exposure_profile_id: authorization.exposureProfileId,
    expires_at: authorization.expiresAt,
  };
