export { type TagAssignment } from './application/tag-assignment.js';
export { TagsService } from './application/tags.service.js';
export { type Tag } from './domain/tag.js';
export { CreatedTagDto, CreateTagBody, TagDto, TagNodesQuery } from './http/tags.dto.js';
export { TagPresenter } from './http/tags.presenter.js';
export { NodeTagNames } from './infrastructure/node-tag-names.queries.js';
export { tagMapping } from './infrastructure/tags.mapping.js';
export { TagsQueries } from './infrastructure/tags.queries.js';
export { TagsModule } from './tags.module.js';
