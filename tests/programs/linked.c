int halved(float *result, float x)
{
    *result = x / 2;
    return 0;
}

int count_up(void *result, int *to, int count)
{
    (void)result;
    for (int i = 0; i < count; i++)
        to[i] = i;
    return 0;
}

unsigned int mixed(unsigned int x)
{
    return x * 2654435761u ^ 5;
}
