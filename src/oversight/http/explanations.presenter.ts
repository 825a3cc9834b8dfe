import { Injectable } from '@nestjs/common';
import { discovers, factsOf, type NodeDto, NodePresenter, wireOf } from '../../graph/index.js';
import { type ExposureProfile, type SupposedAccess } from '../../privacy/index.js';
import { type Explanation } from '../application/explanations.service.js';
import { type ExplanationDto } from './explanations.dto.js';

@Injectable()
export class ExplanationPresenter {
  constructor(private readonly nodes: NodePresenter) {}

  present(
    profile: ExposureProfile,
    appId: string | null,
    { record, supposed, verbs }: Explanation,
  ): ExplanationDto {
    const isRead = verbs.some(({ verb, allowed }) => verb === 'read' && allowed);
    return {
      exposure_profile_id: profile.id,
      node_id: record.id,
      app_id: appId,
      authorization: authorizationOf(supposed),
      verbs: verbs.map(({ decidedBy, ...verb }) => ({ ...verb, decided_by: decidedBy })),
      tags: record.tag_ids.map((id) => ({
        id,
        name: supposed.access.vocabulary.nameOf(id),
        shown: discovers(supposed.access, id),
      })),
      fields: fieldsOf(profile, { record, supposed }),
      shown_as: isRead ? (this.nodes.present(supposed.access, record) as unknown as NodeDto) : null,
    };
  }
}

function fieldsOf(
  { rules: { transformations } }: ExposureProfile,
  { record, supposed: { access } }: Pick<Explanation, 'record' | 'supposed'>,
): ExplanationDto['fields'] {
  const facts = factsOf(record);
  return Object.entries(wireOf(access, record)).map(([field, value]) => {
    const { isShown, hiddenBy, changedBy } = access.exposure.story(field, value, facts);
    return {
      field,
      shown: isShown,
      hidden_by: hiddenBy,
      transformations: changedBy.map((index) => ({ index, type: transformations[index]?.type as string })),
    };
  });
}

const authorizationOf = ({ authorization }: SupposedAccess): ExplanationDto['authorization'] =>
  authorization && {
    id: authorization.id,
    status: authorization.status,
    exposure_profile_id: authorization.exposureProfileId,
    expires_at: authorization.expiresAt,
  };
