import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Endpoint } from '../../kernel/http/endpoint.js';
import { Users } from '../application/users.service.js';
import { UserByNameQuery, UserDto, UsersDto } from './dto/users.dto.js';
import { presentUser } from './presenters.js';

/** The public part of users; there is no open listing (rule 1.4). */
@ApiTags('Users')
@Controller('users')
export class UsersController {
  constructor(private readonly users: Users) {}

  @Get()
  @Endpoint({
    summary: 'Get a user by username',
    description:
      'Only the exact name matches; without a match the list is empty. There is no list of all users.',
    requires: { callers: 'user' },
    answers: UsersDto,
  })
  async byUsername(@Query() { username }: UserByNameQuery): Promise<UsersDto> {
    const user = await this.users.findByUsername(username);
    return { users: user ? [presentUser(user)] : [] };
  }

  @Get(':user_id')
  @Endpoint({
    summary: 'Get a user',
    description: 'Id, name and whether the profile is public; e-mail addresses are never shown to others.',
    requires: { callers: 'user' },
    answers: UserDto,
    errors: ['NOT_FOUND'],
  })
  async get(@Param('user_id') id: string): Promise<UserDto> {
    return presentUser(await this.users.get(id));
  }
}
